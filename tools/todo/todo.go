// Package todo holds the tool by which the model keeps a list of what it is about
// to do, for the person to follow.
package todo

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed todo.md
var text string

// Params are the arguments of todo_write: the whole list.
type Params struct {
	Todos []Todo `json:"todos" jsonschema:"maxItems=50"`
}

// Todo is one step.
type Todo struct {
	Content  string `json:"content" jsonschema:"minLength=1,description=What is to be done\\, in a few words."`
	Status   string `json:"status" jsonschema:"enum=pending,enum=in_progress,enum=completed"`
	Priority string `json:"priority,omitempty" jsonschema:"enum=high,enum=medium,enum=low,default=medium"`
}

// New makes todo_write.
func New() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "todo_write", Title: "Update the plan", Description: text,
		Kind: tools.KindThink, Level: tools.Safe, Traits: tools.Traits{ReadOnly: true},
	}, tools.Handler[Params]{Run: run})
}

func run(_ context.Context, c *tools.Call, p *Params) (*tools.Result, error) {
	var steps []tools.Step
	open := []string{}
	for _, t := range p.Todos {
		steps = append(steps, tools.Step{Content: t.Content, Status: t.Status, Priority: t.Priority})
		if t.Status != "completed" {
			open = append(open, t.Content)
		}
	}
	if c.Env.ShowPlan != nil {
		c.Env.ShowPlan(steps)
	}
	if len(open) == 0 {
		return tools.Text(fmt.Sprintf("The list has %d steps, all done.", len(steps))), nil
	}
	return tools.Text(fmt.Sprintf("The list has %d steps; open: %s.", len(steps), strings.Join(open, "; "))), nil
}
