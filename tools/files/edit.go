package files

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed edit.md
var editText string

// EditParams are the arguments of edit_file: one replacement, or several in
// Edits.
type EditParams struct {
	Path       string        `json:"path" jsonschema:"minLength=1,description=File to edit: relative to the workspace or absolute inside it."`
	OldString  *string       `json:"old_string,omitempty" jsonschema:"description=Exact text to replace. Must occur exactly once unless replace_all is set."`
	NewString  *string       `json:"new_string,omitempty" jsonschema:"description=Text to put in its place; empty to delete."`
	ReplaceAll bool          `json:"replace_all,omitempty" jsonschema:"default=false,description=Replace every occurrence."`
	Edits      []Replacement `json:"edits,omitempty" jsonschema:"description=Several replacements in place of the one above: made in order\\, all or none."`
}

// Replacement is one of several edits.
type Replacement struct {
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all,omitempty" jsonschema:"default=false"`
}

// NewEdit makes edit_file.
func NewEdit() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "edit_file", Title: "Edit file", Description: editText,
		Kind: tools.KindEdit, Level: tools.Sensitive,
	}, tools.Handler[EditParams]{
		Plan: func(ctx context.Context, c *tools.Call, p *EditParams) (*tools.Plan, error) {
			edits, err := p.edits()
			if err != nil {
				return nil, err
			}
			ch, err := c.Env.Files.PlanEdit(ctx, p.Path, edits)
			if err != nil {
				return nil, maskedOld(err, edits)
			}
			if err := refuseMask(ch); err != nil {
				return nil, err
			}
			return changePlan(c, ch, "Edit "+ch.Path), nil
		},
		Run: func(ctx context.Context, c *tools.Call, _ *EditParams) (*tools.Result, error) {
			return applyChange(ctx, c)
		},
	})
}

func (p *EditParams) edits() ([]editstate.Edit, error) {
	one := p.OldString != nil || p.NewString != nil
	switch {
	case one && len(p.Edits) > 0:
		return nil, &tools.Error{Code: tools.CodeInvalidArguments, Message: "both old_string/new_string and edits were given", Hint: "Use one of the two."}
	case one && (p.OldString == nil || p.NewString == nil):
		return nil, &tools.Error{Code: tools.CodeInvalidArguments, Message: "old_string and new_string go together", Hint: `To delete text give new_string as "".`}
	case one:
		return []editstate.Edit{{Old: *p.OldString, New: *p.NewString, All: p.ReplaceAll}}, nil
	case len(p.Edits) == 0:
		return nil, &tools.Error{Code: tools.CodeInvalidArguments, Message: "nothing to replace was given", Hint: "Give old_string and new_string."}
	}
	edits := make([]editstate.Edit, len(p.Edits))
	for i, e := range p.Edits {
		edits[i] = editstate.Edit{Old: e.OldString, New: e.NewString, All: e.ReplaceAll}
	}
	return edits, nil
}

// maskedOld explains an edit that was not found since it quotes the mask of a
// secret.
func maskedOld(err error, edits []editstate.Edit) error {
	var e *editstate.Error
	if errors.As(err, &e) && e.Code == editstate.NoMatch && slices.ContainsFunc(edits, func(e editstate.Edit) bool { return strings.Contains(e.Old, tools.Mask) }) {
		e.Hint = tools.Mask + " stands for a secret that you were not shown, so that text cannot be matched. Change other lines only, or ask the user to change that one."
	}
	return err
}

// refuseMask refuses a change that would put the mask of a secret in its place.
func refuseMask(ch *editstate.Change) error {
	for _, h := range ch.Hunks {
		for _, l := range strings.Split(h.Text, "\n") {
			if strings.HasPrefix(l, "+") && strings.Contains(l, tools.Mask) && !strings.Contains(h.Text, "-"+l[1:]) {
				return &tools.Error{Code: tools.CodeDenied, Message: "the new text of " + ch.Path + " holds " + tools.Mask + ", which stands for a secret that you were not shown; writing it would destroy the secret",
					Hint: "Leave those lines as they are: change only other lines with edit_file."}
			}
		}
	}
	return nil
}

// changePlan says what a change is about to do and which grants cover it.
func changePlan(c *tools.Call, ch *editstate.Change, title string) *tools.Plan {
	files := c.Env.Files
	loc := ch.Loc()
	plan := &tools.Plan{Title: title, Changes: []*editstate.Change{ch}, Parts: []tools.Part{{Path: loc.Path()}}, Locations: []tools.Location{{Path: loc.Path(), Line: ch.Line()}}}
	before, after := ch.Sizes()
	if before > 0 && after < before/2 && before-after > 200 {
		plan.Reason = fmt.Sprintf("the file shrinks from %d to %d bytes", before, after)
	}
	if prot := files.Protection(loc); prot != editstate.Unprotected {
		plan.Level = tools.Dangerous
		plan.Reason = fmt.Sprintf("%s: %s", ch.Path, prot)
		return plan // no grant: such a file is looked at each time
	}
	dir := filepath.Dir(loc.Path())
	plan.Grants = []tools.Grant{
		{ID: "edit:file:" + loc.Path(), Label: "edits of " + ch.Path},
		{ID: "edit:dir:" + dir, Label: "edits in " + folderName(files, dir)},
	}
	for _, root := range files.Roots() {
		if dir != root && inside(root, dir) {
			plan.Grants = append(plan.Grants, tools.Grant{ID: "edit:dir:" + root, Label: "edits in " + folderName(files, root)})
		}
	}
	for d := filepath.Dir(dir); d != filepath.Dir(d); d = filepath.Dir(d) {
		plan.Covers = append(plan.Covers, "edit:dir:"+d)
	}
	return plan
}

func inside(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func folderName(files *editstate.Workspace, dir string) string {
	if name := files.DisplayPath(dir); name != "." {
		return name + "/"
	}
	return "the whole workspace (" + filepath.Base(dir) + "/)"
}

// applyChange writes the planned change as far as it was allowed, and tells
// the model what really happened.
func applyChange(ctx context.Context, c *tools.Call) (*tools.Result, error) {
	ch := c.Plan.Changes[0]
	done, err := c.Env.Files.Apply(ctx, ch, c.Answer.Approval(ch))
	if errors.Is(err, editstate.ErrNothingAllowed) {
		return nil, &tools.Error{Code: tools.CodeDenied, Message: "the user allowed no part of this change; nothing was written",
			Hint: "Do not repeat it unchanged."}
	}
	if err != nil {
		return nil, err
	}
	return report(ch, done), nil
}

func report(ch *editstate.Change, done *editstate.Applied) *tools.Result {
	verb := "Edited"
	if done.Op == editstate.Create {
		verb = "Created"
	}
	r := tools.Text(fmt.Sprintf("%s %s (%s).", verb, done.Path, counts(done.Diff)))
	var hashBefore string
	if done.Op != editstate.Create {
		hashBefore = done.Before.String()
	}
	r.Changes = []tools.FileChange{{Path: done.Loc.Path(), Op: string(done.Op), HashBefore: hashBefore, HashAfter: done.After.String(), Diff: done.Diff}}
	if !done.OnDisk {
		r.Text += " The text is in the user's editor, not saved yet: commands still see the old file."
	}
	for _, n := range done.Notes {
		r.Text += " " + n
	}
	if len(done.Refused) > 0 {
		r.Status = tools.Partial
		r.Text += fmt.Sprintf("\nThe user refused %d of %d changed places:\n", len(done.Refused), len(ch.Hunks))
		for _, h := range done.Refused {
			r.Text += fmt.Sprintf("refused, line %d:\n%s", h.OldStart, h.Text)
		}
		r.Text += "What was written:\n" + done.Diff
	}
	if done.Edited {
		r.Status = tools.Partial
		r.Text += "\nThe user changed the text before allowing it. What was written:\n" + done.Diff
	}
	return r
}

// counts sums up a unified diff: "+2 -1 lines".
func counts(diff string) string {
	plus, minus := 0, 0
	for i, l := range strings.Split(diff, "\n") {
		switch {
		case i < 2: // the names
		case strings.HasPrefix(l, "+"):
			plus++
		case strings.HasPrefix(l, "-"):
			minus++
		}
	}
	return fmt.Sprintf("+%d -%d lines", plus, minus)
}
