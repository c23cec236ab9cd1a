// Package subagent holds the tool by which the model gives a part of its work to
// another agent.
package subagent

import (
	"context"
	_ "embed"
	"io"
	"strings"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/background"
)

//go:embed subagent.md
var text string

// answerCap bounds what a subagent's answer may have.
const answerCap = 20_000

// Params are the arguments of subagent.
type Params struct {
	Type       string `json:"type,omitempty" jsonschema:"default=general-purpose,description=Which kind: general-purpose\\, explore\\, plan\\, or one that the system prompt names."`
	Task       string `json:"task" jsonschema:"minLength=1,description=The task in three to six words\\, for the user."`
	Prompt     string `json:"prompt" jsonschema:"minLength=1,description=All that the subagent has to know: it sees nothing of this conversation."`
	Background bool   `json:"background,omitempty" jsonschema:"default=false,description=Do not wait for it."`
}

// New makes subagent.
func New() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "subagent", Title: "Subagent", Description: text,
		Kind: tools.KindThink, Level: tools.Safe, NeedsSpawn: true, Cap: answerCap,
		Traits: tools.Traits{ReadOnly: true, Concurrent: true}, // what it does is judged call by call
	}, tools.Handler[Params]{
		Plan: func(_ context.Context, c *tools.Call, p *Params) (*tools.Plan, error) {
			if err := c.Env.Spawn.Check(p.Type); err != nil {
				return nil, err
			}
			return &tools.Plan{Title: p.Task + " (" + p.Type + ")"}, nil
		},
		Run: run,
	})
}

func run(ctx context.Context, c *tools.Call, p *Params) (*tools.Result, error) {
	r := tools.SpawnRequest{CallID: c.ID, Type: p.Type, Task: p.Task, Prompt: p.Prompt}
	if !p.Background {
		answer, err := c.Env.Spawn.Run(ctx, r)
		if err != nil {
			return nil, err
		}
		return tools.Text(answer), nil
	}
	b, err := background.Of(c.Env)
	if err != nil {
		return nil, err
	}
	t, err := b.Start("subagent", p.Task, func(ctx context.Context, out io.Writer) string {
		answer, err := c.Env.Spawn.Run(ctx, r)
		if err != nil {
			return "it failed: " + err.Error()
		}
		_, _ = io.WriteString(out, strings.TrimRight(answer, "\n")+"\n") // it takes everything
		return "it has answered"
	})
	if err != nil {
		return nil, err
	}
	return tools.Text("[The subagent works in the background as " + t.ID + ". You are told when it has ended; background_output then shows its answer.]"), nil
}
