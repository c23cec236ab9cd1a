package shell

import (
	"fmt"

	"github.com/agentd-dev/agentd/tools"
)

// Short names of the levels.
const (
	safe      = tools.Safe
	sensitive = tools.Sensitive
	dangerous = tools.Dangerous
)

func rankOf(l tools.Level) int {
	switch l {
	case safe:
		return 0
	case sensitive:
		return 1
	}
	return 2
}

// verdict is what a command is judged to be, by the worst of its parts.
type verdict struct {
	level  tools.Level
	reason string // why it is not safe
	// prefix holds the words that a grant may cover, such as "go test"; ""
	// if no grant but that of the exact command is possible.
	prefix string
	// runs are the programs that it runs, as far as they are known; loose is
	// set when that is not all it does.
	runs  []tools.Part
	loose bool
}

// traits are what a level says of a call: what is safe only reads.
func (v *verdict) traits() tools.Traits {
	return tools.Traits{ReadOnly: v.level == safe, Concurrent: v.level == safe, Destructive: v.level == dangerous}
}

// grants are the permissions that cover a command in a folder. One for a
// prefix is offered only for a single ordinary program, and only such a
// command asks for one: two commands have the same prefix if both consist of
// that program with that subcommand, and otherwise of what is safe.
func (v *verdict) grants(command, cwd string) []tools.Grant {
	grants := []tools.Grant{{ID: "command:exact:" + cwd + ":" + command, Label: "this exact command"}}
	if v.level == sensitive && v.prefix != "" {
		grants = append(grants, tools.Grant{ID: "command:prefix:" + v.prefix, Label: fmt.Sprintf("commands that start with `%s`", v.prefix)})
	}
	return grants
}
