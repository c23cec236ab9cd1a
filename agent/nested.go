package agent

import (
	"context"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// nested is the client of a subagent: what it tells and asks goes to the client
// of its parent, as part of the call that has started it.
type nested struct {
	parent *Session
	call   string // of the parent's
}

// Emit passes on what a person wants to see of a subagent: its calls, its words
// and its notices.
func (n nested) Emit(_ context.Context, u Update) {
	e := u.Update
	switch x := e.(type) {
	case ToolCallEvent:
		x.ToolCallID = n.id(x.ToolCallID)
		e = x
	case ToolOutputDelta:
		x.ToolCallID = n.id(x.ToolCallID)
		e = x
	case MessageDelta:
		x.MessageID = n.id(x.MessageID)
		e = x
	case ThoughtDelta:
		x.MessageID = n.id(x.MessageID)
		e = x
	case NoticeEvent:
		if x.VoidMessageID != "" {
			x.VoidMessageID = n.id(x.VoidMessageID)
		}
		e = x
	case UsageEvent:
		if u.ParentCallID == "" {
			n.parent.countNested(x)
		}
		return
	default:
		return
	}
	call := n.call
	if u.ParentCallID != "" {
		call = n.id(u.ParentCallID)
	}
	n.parent.emitUnder(n.parent.life, n.parent.turnID(), call, e)
}

// id makes the id of a subagent's call or message one of the session.
func (n nested) id(id string) string { return n.call + "." + id }

// Confirm implements Client.
func (n nested) Confirm(ctx context.Context, r *ConfirmRequest) (tools.Answer, error) {
	r.ConfirmID, r.ToolCallID = "confirm-"+n.id(r.ToolCallID), n.id(r.ToolCallID)
	return n.parent.client.Confirm(ctx, r)
}

// Ask implements Client. Subagents are not offered the tool for it.
func (n nested) Ask(ctx context.Context, r *AskRequest) (tools.AskAnswer, error) {
	r.AskID, r.ToolCallID = "ask-"+n.id(r.ToolCallID), n.id(r.ToolCallID)
	return n.parent.client.Ask(ctx, r)
}

// ApplyBuffer implements Client.
func (n nested) ApplyBuffer(ctx context.Context, e editstate.BufferEdit) (editstate.BufferResult, error) {
	return n.parent.client.ApplyBuffer(ctx, e)
}

// Can implements Client.
func (n nested) Can() Capabilities { return n.parent.client.Can() }

// countNested adds what a subagent has used to the accounts of the session.
func (s *Session) countNested(e UsageEvent) {
	top := s.top()
	var cost *float64
	if e.Cost != nil && !e.Unpriced {
		cost = &e.Cost.Request
	}
	top.mu.Lock()
	turn := ""
	if top.turn != nil {
		turn = top.turn.id
	}
	top.account.add(turn, e.Model, e.Request, cost)
	all := UsageEvent{Model: e.Model, Request: e.Request, Turn: top.account.last, Session: top.account.total, Cost: top.account.known(), Unpriced: cost == nil}
	top.mu.Unlock()
	top.emit(top.life, turn, all)
}
