package files

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed list.md
var listDescription string

// listEntries is how many entries one list_directory gives at most.
const listEntries = 500

// ListParams are the arguments of list_directory.
type ListParams struct {
	Path   string `json:"path,omitempty" jsonschema:"default=.,description=Folder to list; the workspace if left out."`
	Offset int    `json:"offset,omitempty" jsonschema:"minimum=1,default=1,description=First entry to show\\, from 1."`
}

// NewList makes list_directory.
func NewList() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "list_directory", Title: "List folder", Description: listDescription,
		Kind: tools.KindRead, Level: tools.Safe,
		Traits: tools.Traits{ReadOnly: true, Concurrent: true},
	}, tools.Handler[ListParams]{
		Plan: func(_ context.Context, c *tools.Call, p *ListParams) (*tools.Plan, error) {
			loc, err := c.Env.Files.Resolve(p.Path)
			if err != nil {
				return nil, err
			}
			return &tools.Plan{Title: "List " + c.Env.Files.Display(loc), Parts: []tools.Part{{Path: loc.Path()}}, Locations: []tools.Location{{Path: loc.Path()}}}, nil
		},
		Run: func(ctx context.Context, c *tools.Call, p *ListParams) (*tools.Result, error) {
			return listText(ctx, c, p.Path, p.Offset)
		},
	})
}

func listText(ctx context.Context, c *tools.Call, path string, offset int) (*tools.Result, error) {
	loc, entries, err := c.Env.Files.List(ctx, path)
	if err != nil {
		return nil, err
	}
	display := c.Env.Files.Display(loc)
	if len(entries) == 0 {
		return tools.Text(fmt.Sprintf("[%s is an empty folder]", display)), nil
	}
	if offset > len(entries) {
		return nil, &tools.Error{Code: tools.CodeInvalidArguments, Message: fmt.Sprintf("%s has only %d entries; offset %d is beyond the end", display, len(entries), offset)}
	}
	last := min(len(entries), offset-1+listEntries)
	var out strings.Builder
	fmt.Fprintf(&out, "[folder %s, entries %d-%d of %d]\n", display, offset, last, len(entries))
	for _, e := range entries[offset-1 : last] {
		out.WriteString(e.Name)
		switch e.Kind {
		case "dir":
			out.WriteByte('/')
		case "link":
			out.WriteByte('@')
		case "file":
			fmt.Fprintf(&out, "  %d bytes", e.Size)
		default:
			out.WriteString("  (special file)")
		}
		out.WriteByte('\n')
	}
	r := tools.Text(out.String())
	if last < len(entries) {
		r.Status = tools.Partial
		r.Text += fmt.Sprintf("[%d more entries; go on with offset %d]\n", len(entries)-last, last+1)
	}
	return r, nil
}

// isFolder reports whether a read failed because the path is a folder.
func isFolder(err error) bool {
	var e *editstate.Error
	return errors.As(err, &e) && e.Code == editstate.NotRegular && e.Folder
}
