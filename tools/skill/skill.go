// Package skill holds the tool by which the model reads the instructions of a
// skill when it needs them.
package skill

import (
	"context"
	_ "embed"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed skill.md
var text string

// Params are the arguments of load_skill.
type Params struct {
	Name string `json:"name" jsonschema:"minLength=1,description=The skill\\, as the system prompt names it."`
}

// New makes load_skill.
func New() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "load_skill", Title: "Load skill", Description: text,
		Kind: tools.KindRead, Level: tools.Safe, NeedsSkills: true, Traits: tools.Traits{ReadOnly: true, Concurrent: true},
	}, tools.Handler[Params]{
		Plan: func(_ context.Context, _ *tools.Call, p *Params) (*tools.Plan, error) {
			return &tools.Plan{Title: "Load the skill " + p.Name}, nil
		},
		Run: func(ctx context.Context, c *tools.Call, p *Params) (*tools.Result, error) {
			text, err := c.Env.Skill(ctx, p.Name)
			if err != nil {
				return nil, err
			}
			return tools.Text(text), nil
		},
	})
}
