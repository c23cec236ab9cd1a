package files

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed write.md
var writeText string

// WriteParams are the arguments of write_file.
type WriteParams struct {
	Path    string `json:"path" jsonschema:"minLength=1,description=File to write: relative to the workspace or absolute inside it."`
	Content string `json:"content" jsonschema:"description=The whole new content."`
}

// NewWrite makes write_file.
func NewWrite() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "write_file", Title: "Write file", Description: writeText,
		Kind: tools.KindEdit, Level: tools.Sensitive,
	}, tools.Handler[WriteParams]{
		Plan: func(ctx context.Context, c *tools.Call, p *WriteParams) (*tools.Plan, error) {
			ch, err := c.Env.Files.PlanWrite(ctx, p.Path, p.Content)
			if err != nil {
				return nil, err
			}
			if err := refuseMask(ch); err != nil {
				return nil, err
			}
			before, after := ch.Sizes()
			title := fmt.Sprintf("Create %s (%d bytes)", ch.Path, after)
			if ch.Op == editstate.Modify {
				title = fmt.Sprintf("Rewrite %s (%d to %d bytes)", ch.Path, before, after)
			}
			return changePlan(c, ch, title), nil
		},
		Run: func(ctx context.Context, c *tools.Call, _ *WriteParams) (*tools.Result, error) {
			return applyChange(ctx, c)
		},
	})
}
