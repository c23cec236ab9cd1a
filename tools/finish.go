package tools

import (
	"log/slog"
	"strings"
	"time"
)

// finish redacts, caps, audits and counts.
func (s *step) finish(r *Result) {
	if a := s.feedback(); a != "" {
		r.Text = strings.TrimRight(r.Text, "\n") + "\n" + a
	}
	if len(s.notes) > 0 {
		r.Text = strings.TrimRight(r.Text, "\n") + "\n[arguments corrected: " + strings.Join(s.notes, "; ") + "]"
	}
	r.Text = strings.ToValidUTF8(s.d.Redactor.Text(r.Text), "\uFFFD")
	if r.Error != nil {
		e := *r.Error
		e.Message, e.Hint = s.d.Redactor.Text(e.Message), s.d.Redactor.Text(e.Hint)
		r.Error = &e
	}
	limit := 0
	if s.call != nil {
		limit = s.call.Tool.Cap
	}
	r.Stats.Bytes = len(r.Text)
	r.Text, r.Stats.Truncated = capText(s.d.Env.Spool, s.toolName(), r.Text, limit)
	s.audit(r)
	if s.ran && s.d.Breaker != nil {
		if s.rec.Decision == "allow" && (r.Error == nil || r.Error.Code != CodeCancelled) {
			s.d.Breaker.Report(s.inv.Name, s.inv.Message, r.Fault)
		} else {
			s.d.Breaker.Abandon(s.inv.Name)
		}
	}
}

// toolName is safe to be part of a file name.
func (s *step) toolName() string {
	if s.call == nil {
		return "result"
	}
	return s.call.Tool.Name
}

func (s *step) audit(r *Result) {
	s.rec.Status, s.rec.Ms, s.rec.Changes = r.Status, elapsed(time.Since(s.rec.Time)), nil
	if r.Error != nil {
		s.rec.Code = r.Error.Code
	}
	for _, c := range r.Changes {
		c.Diff = ""
		s.rec.Changes = append(s.rec.Changes, c)
	}
	s.rec.Args = s.d.Redactor.JSON(s.rec.Args)
	if err := s.d.Audit.Write(s.rec); err != nil {
		slog.Error("audit", "err", err)
	}
}
