// Package builtin lists the tools that agentd comes with.
package builtin

import (
	"slices"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/ask"
	"github.com/agentd-dev/agentd/tools/background"
	"github.com/agentd-dev/agentd/tools/discover"
	"github.com/agentd-dev/agentd/tools/files"
	"github.com/agentd-dev/agentd/tools/search"
	"github.com/agentd-dev/agentd/tools/shell"
	"github.com/agentd-dev/agentd/tools/skill"
	"github.com/agentd-dev/agentd/tools/subagent"
	"github.com/agentd-dev/agentd/tools/task"
	"github.com/agentd-dev/agentd/tools/team"
	"github.com/agentd-dev/agentd/tools/todo"
)

// Tools makes the built-in tools, in the order in which the model reads them.
func Tools() []*tools.Tool {
	return slices.Concat([]*tools.Tool{
		files.NewRead(),
		files.NewList(),
		search.NewGlob(),
		search.NewGrep(),
		files.NewEdit(),
		files.NewWrite(),
		shell.NewRun(),
		ask.New(),
		todo.New(),
		skill.New(),
		subagent.New(),
		discover.NewSearch(),
	}, background.Set().Tools(), task.Set().Tools(), team.Set().Tools())
}
