package tools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/agentd-dev/agentd/editstate"
)

// confirm asks the person about the call. Everything that is not a clear yes
// is a no.
func (s *step) confirm(ctx context.Context) *Result {
	a, err := s.d.Gate.Confirm(ctx, s.request)
	if err == nil && !a.ByPolicy {
		err = s.request.Check(a)
	}
	if err != nil {
		s.rec.Decision = "deny"
		if ctx.Err() != nil {
			return ErrorResult(&Error{Code: CodeCancelled, Message: "cancelled by the user while the question was open", Hint: "Nothing was done."})
		}
		slog.Warn("a confirmation failed; it counts as a rejection", "tool", s.inv.Name, "err", err)
		return ErrorResult(&Error{Code: CodeDenied, Message: "the user could not be asked, so the call was not allowed: " + err.Error(),
			Hint: "Nothing was done."})
	}
	s.call.Answer = a
	if !a.ByPolicy {
		s.rec.By = "user"
	}
	switch a.Decision {
	case Allow, AllowSession:
		s.rec.Decision = "allow"
		return nil
	}
	s.rec.Decision = "deny"
	r := ErrorResult(&Error{Code: CodeDenied, Message: "the user rejected this call; nothing was done", Hint: denialHint(a)})
	r.Abort = a.Decision == Abort
	return r
}

func denialHint(a Answer) string {
	if a.Feedback != "" {
		return "" // the feedback says what to do next
	}
	return "Do not repeat it unchanged. Try another way, or ask the user what they want."
}

// feedback is what the person said beside the decision, for the model.
func (s *step) feedback() string {
	if s.call == nil || s.call.Answer.Feedback == "" {
		return ""
	}
	return "The user says: " + s.call.Answer.Feedback
}

// Check reports whether an answer fits what was asked.
func (r *Request) Check(a Answer) error {
	switch a.Decision {
	case Allow:
	case AllowSession:
		if _, err := r.Plan.Granted(a.GrantID); err != nil {
			return err
		}
	case Reject, Abort:
		return nil
	default:
		return fmt.Errorf("the editor answered with an unknown decision %q", a.Decision)
	}
	if len(r.Plan.Changes) == 0 && (a.Hunks != nil || len(a.Edits) > 0) {
		return errors.New("the editor's answer changes a text, but none was proposed")
	}
	given := map[string]bool{}
	for _, e := range a.Edits {
		if e.Text == nil || given[e.URI] {
			return fmt.Errorf("the editor's answer has no text, or two, for %s", e.URI)
		}
		given[e.URI] = true
		if r.Plan.changeOf(e.URI) == nil {
			return fmt.Errorf("the editor's answer has a text for %s, which was not proposed", e.URI)
		}
	}
	for id := range a.Hunks {
		if !slices.ContainsFunc(r.Plan.Changes, func(c *editstate.Change) bool { return hasHunk(c, id) }) {
			return fmt.Errorf("the editor's answer names a hunk %q that was not proposed", id)
		}
	}
	for _, c := range r.Plan.Changes {
		if err := c.CheckApproval(a.Approval(c)); err != nil {
			return err
		}
	}
	return nil
}

// numberHunks gives the hunks of several files different ids, so that an answer
// says which file it means.
func (p *Plan) numberHunks() {
	if len(p.Changes) < 2 {
		return
	}
	n := 0
	for _, c := range p.Changes {
		for i := range c.Hunks {
			n++
			c.Hunks[i].ID = fmt.Sprintf("h%d", n)
		}
	}
}

func hasHunk(c *editstate.Change, id string) bool {
	return slices.ContainsFunc(c.Hunks, func(h editstate.Hunk) bool { return h.ID == id })
}

// Granted finds the grant that an answer gives; "" is the first.
func (p *Plan) Granted(id string) (Grant, error) {
	for _, g := range p.Grants {
		if id == "" || g.ID == id {
			return g, nil
		}
	}
	return Grant{}, fmt.Errorf("the editor answered with a grant %q that was not offered", id)
}

func (p *Plan) changeOf(uri string) *editstate.Change {
	for _, c := range p.Changes {
		if c.URI == uri {
			return c
		}
	}
	return nil
}

// Approval is the part of the answer that concerns one change. Where hunks are
// named, a file has only those that are, unless its text comes as a whole.
func (a Answer) Approval(c *editstate.Change) editstate.Approval {
	var ap editstate.Approval
	for i := range a.Edits {
		if a.Edits[i].URI == c.URI {
			ap.Text = a.Edits[i].Text
		}
	}
	if a.Hunks == nil {
		return ap
	}
	mine := map[string]bool{}
	for id, ok := range a.Hunks {
		if hasHunk(c, id) {
			mine[id] = ok
		}
	}
	if ap.Text == nil || len(mine) > 0 {
		ap.Hunks = mine
	}
	return ap
}
