package agent

import (
	"fmt"

	"github.com/agentd-dev/agentd/tools"
)

// Judge decides whether a call may run, must be asked about, or may not run.
// The first rule that fits decides:
//
//  1. What a rule of the user denies does not run, nor does what is switched off
//     for the session of a subagent.
//  2. In plan mode only what is safe and read-only runs; a dangerous read is
//     asked about, everything else is denied.
//  3. What is safe runs.
//  4. What a grant of this session covers runs, and what the user's rules allow.
//  5. In accept-edits mode sensitive edits run, in auto mode all that is
//     sensitive. No mode lets a dangerous call run.
//  6. The rest is asked about.
func (s *Session) Judge(r *tools.Request) tools.Verdict {
	rules, roots := &s.agent.cfg.Rules, s.files.Roots()
	if rule := rules.denied(r, roots); rule != "" {
		return tools.Verdict{Ruling: tools.Deny, By: "rule", Reason: fmt.Sprintf("the user's configuration denies %q", rule)}
	}
	if top := s.top(); top != s && !top.dispatch.Enabled(r.Call.Tool) {
		return tools.Verdict{Ruling: tools.Deny, By: "switch", Reason: "the user has switched this tool off"}
	}
	s = s.top() // subagents have the policy and the grants of their session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mode == ModePlan && !r.Traits.ReadOnly {
		return tools.Verdict{Ruling: tools.Deny, By: "mode", Reason: "the session is in plan mode, in which nothing is changed. Present your plan; the user switches the mode"}
	}
	if r.Level == tools.Safe {
		return tools.Verdict{Ruling: tools.Run, By: "level"}
	}
	if s.granted(r.Plan) {
		return tools.Verdict{Ruling: tools.Run, By: "grant"}
	}
	if rules.allowed(r, roots) != "" {
		return tools.Verdict{Ruling: tools.Run, By: "rule"}
	}
	if r.Level == tools.Sensitive {
		if s.mode == ModeAuto || s.mode == ModeAcceptEdits && r.Call.Tool.Kind == tools.KindEdit {
			return tools.Verdict{Ruling: tools.Run, By: "mode"}
		}
	}
	return tools.Verdict{Ruling: tools.Ask, By: "level"}
}

// granted reports whether a grant of the session covers the plan. s.mu is held.
func (s *Session) granted(p *tools.Plan) bool {
	for _, g := range p.Grants {
		if s.grants[g.ID] {
			return true
		}
	}
	for _, id := range p.Covers {
		if s.grants[id] {
			return true
		}
	}
	return false
}
