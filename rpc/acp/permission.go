package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/rpc/wire"
	"github.com/agentd-dev/agentd/tools"
)

var _ agent.Client = (*session)(nil)

type permissionParams struct {
	SessionID string                            `json:"sessionId"`
	ToolCall  toolUpdate                        `json:"toolCall"`
	Options   []permissionOption                `json:"options"`
	Meta      *extensions[agent.ConfirmRequest] `json:"_meta,omitempty"`
}

type permissionOption struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// permissionAnswer and its outcome are decoded each by itself, strictly.
type permissionAnswer struct {
	Outcome json.RawMessage `json:"outcome"`
	Meta    json.RawMessage `json:"_meta"`
}

type permissionOutcome struct {
	Outcome  string          `json:"outcome"`
	OptionID string          `json:"optionId"`
	Meta     json.RawMessage `json:"_meta"`
}

// answerExtensions are what a client that knows agentd may add to an answer; see
// the native ui/confirm.
type answerExtensions struct {
	Feedback string             `json:"feedback"`
	Edits    []tools.EditedText `json:"edits"`
	Hunks    map[string]bool    `json:"hunks"`
}

// The kinds of options.
const (
	allowOnce    = "allow_once"
	allowAlways  = "allow_always"
	rejectOnce   = "reject_once"
	rejectAlways = "reject_always"
)

// The ids of options. Those for grants end in the number of the grant.
const (
	optionAllow        = "allow"
	optionAllowSession = "allow-session-"
	optionReject       = "reject"
	optionRejectWhy    = "reject-feedback"
	optionRejectAll    = "reject-session"
)

// Confirm implements agent.Client.
func (sess *session) Confirm(ctx context.Context, r *agent.ConfirmRequest) (a tools.Answer, err error) {
	if label := sess.rejectedAlways(r); label != "" {
		return tools.Answer{Decision: tools.Reject, Feedback: "I have rejected " + label + " for this whole session."}, nil
	}
	call := confirmedCall(r)
	if r.ToolCallID == "" { // it is about no call of the model's
		call.ID = r.ConfirmID
		defer func() {
			sess.settled(call.ID, err == nil && (a.Decision == tools.Allow || a.Decision == tools.AllowSession))
		}()
	}
	chosen, own, err := sess.permission(ctx, permissionParams{
		SessionID: r.SessionID, ToolCall: call, Options: sess.confirmOptions(r), Meta: &extensions[agent.ConfirmRequest]{lean(r)},
	})
	if err != nil {
		return tools.Answer{}, err
	}
	a = tools.Answer{Feedback: own.Feedback, Edits: own.Edits, Hunks: own.Hunks}
	switch {
	case chosen == "":
		a.Decision = tools.Abort
	case chosen == optionAllow:
		a.Decision = tools.Allow
	case strings.HasPrefix(chosen, optionAllowSession):
		a.Decision = tools.AllowSession
		for i, g := range r.Grants {
			if chosen == grantOption(i) {
				a.GrantID = g.ID
			}
		}
	case chosen == optionRejectAll:
		a.Decision = tools.Reject
		sess.rejectAlways(r)
	case chosen == optionRejectWhy:
		a.Decision = tools.Reject
		if a.Feedback == "" {
			a.Feedback = sess.askWhy(ctx, r)
		}
	default:
		a.Decision = tools.Reject
	}
	return a, ctx.Err()
}

// settled tells the end of something that was asked about and is no call.
func (sess *session) settled(id string, allowed bool) {
	status := agent.ToolFailed
	if allowed {
		status = agent.ToolCompleted
	}
	sess.mu.Lock()
	defer sess.mu.Unlock()
	sess.send(toolUpdate{Update: "tool_call_update", ID: id, Status: status})
}

// permission asks, and gives the id of the option that was chosen, which is one
// of those offered; "" if the client has cancelled the question, which in ACP
// means the turn. Anything that is not a clear answer is an error.
func (sess *session) permission(ctx context.Context, p permissionParams) (chosen string, own answerExtensions, err error) {
	const method = "session/request_permission"
	var a permissionAnswer
	if err := sess.srv.conn.Call(ctx, method, p, &a); err != nil {
		return "", own, err
	}
	var o permissionOutcome
	if err := wire.DecodeAnswer(a.Outcome, &o); err != nil {
		return "", own, fmt.Errorf("the editor's answer to %s cannot be read: outcome: %w", method, err)
	}
	if own, err = answerOf(o.Meta, a.Meta); err != nil {
		return "", own, fmt.Errorf("the editor's answer to %s cannot be read: _meta: %w", method, err)
	}
	switch o.Outcome {
	case "cancelled":
		return "", own, nil
	case "selected":
		for _, opt := range p.Options {
			if opt.ID == o.OptionID {
				return opt.ID, own, nil
			}
		}
		return "", own, fmt.Errorf("the editor answered with an option %q that was not offered", o.OptionID)
	}
	return "", own, fmt.Errorf("the editor answered with an unknown outcome %q", o.Outcome)
}

// answerOf reads what a client adds to an answer, strictly and from one place
// only: what is overlooked here might be the no to a part of a change.
func answerOf(metas ...json.RawMessage) (own answerExtensions, err error) {
	found := false
	for _, meta := range metas {
		if len(meta) == 0 || string(meta) == "null" {
			continue
		}
		var m struct {
			Agentd json.RawMessage `json:"agentd"`
		}
		if err := wire.DecodeAnswer(meta, &m); err != nil {
			return own, err
		}
		if len(m.Agentd) == 0 || string(m.Agentd) == "null" {
			continue
		}
		if found {
			return own, errors.New("agentd is there twice")
		}
		found = true
		if err := wire.DecodeAnswer(m.Agentd, &own); err != nil {
			return own, fmt.Errorf("agentd: %w", err)
		}
	}
	return own, nil
}

func grantOption(i int) string { return fmt.Sprintf("%s%d", optionAllowSession, i+1) }

// confirmOptions are the choices of a confirmation. What is remembered is said
// exactly.
func (sess *session) confirmOptions(r *agent.ConfirmRequest) []permissionOption {
	list := []permissionOption{{optionAllow, "Allow", allowOnce}}
	for i, g := range r.Grants {
		list = append(list, permissionOption{grantOption(i), "Allow for this session: " + g.Label, allowAlways})
	}
	list = append(list, permissionOption{optionReject, "Reject", rejectOnce})
	if sess.srv.capabilities().Elicitation.Form != nil {
		list = append(list, permissionOption{optionRejectWhy, "Reject, and say why", rejectOnce})
	}
	if len(r.Grants) > 0 {
		list = append(list, permissionOption{optionRejectAll, "Reject for this session: " + r.Grants[0].Label, rejectAlways})
	}
	return list
}

// rejectAlways notes that the narrowest grant of a call is not to be asked for
// again.
func (sess *session) rejectAlways(r *agent.ConfirmRequest) {
	sess.refusing.Lock()
	defer sess.refusing.Unlock()
	sess.refused[r.Grants[0].ID] = true
}

// rejectedAlways gives what the person has rejected for the whole session that
// covers a call; "" if nothing does.
func (sess *session) rejectedAlways(r *agent.ConfirmRequest) string {
	sess.refusing.Lock()
	defer sess.refusing.Unlock()
	for _, g := range r.Grants {
		if sess.refused[g.ID] {
			return g.Label
		}
	}
	return ""
}

// confirmedCall shows what will happen: the changes, or the command exactly as
// it will run, whatever the model calls it, or the arguments.
func confirmedCall(r *agent.ConfirmRequest) toolUpdate {
	u := toolUpdate{ID: r.ToolCallID, Title: r.Title, Status: agent.ToolPending}
	if r.Reason != "" {
		u.Content = append(u.Content, shownText("Note: "+escape(r.Reason)+"."))
	}
	if r.Agent != "" {
		u.Content = append(u.Content, shownText("Asked by the subagent for: "+escape(r.Agent)))
	}
	switch {
	case r.Command != nil:
		u.Kind = tools.KindExecute
		u.Title = oneLine(r.Command.Command)
		u.Content = append(u.Content, shownText(fenced(r.Command.Command, "sh")+"\nin "+escape(r.Command.Cwd)))
		u.RawInput = encode(r.Command)
	case r.Changes != nil:
		u.Kind = tools.KindEdit
		for _, c := range r.Changes {
			u.Locations = append(u.Locations, location{c.Loc().Path(), c.Line()})
			for _, d := range proposed(c) {
				u.Content = append(u.Content, d)
			}
		}
	default:
		u.RawInput = encode(r.Input)
	}
	return u
}

// oneLine shows a command as a title.
func oneLine(command string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(command), "\n")
	if strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// lean is a confirmation for clients that know agentd: the whole of it but for
// the texts, which the call's content has.
func lean(r *agent.ConfirmRequest) *agent.ConfirmRequest {
	l := *r
	l.Changes = nil
	for _, c := range r.Changes {
		short := editstate.Change{URI: c.URI, Path: c.Path, Op: c.Op, Base: c.Base, Hunks: c.Hunks}
		l.Changes = append(l.Changes, &short)
	}
	return &l
}

// Can implements agent.Client.
func (sess *session) Can() agent.Capabilities {
	c := sess.srv.capabilities()
	return agent.Capabilities{Confirm: true, AskUser: !c.noQuestions, Buffers: c.files(), Files: c.files(), Terminals: c.Terminal}
}

var errNoAnswer = errors.New("the editor gave no answer")
