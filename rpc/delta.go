package rpc

import (
	"strconv"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// delta is an update that carries a piece of text. There are thousands in a
// turn, so they are encoded by hand and joined while they wait.
type delta struct {
	session, turn string
	parent        string // the call that has started the subagent it is from
	kind          string // "message_delta", ...
	idName, id    string // "messageId" or "toolCallId"
	seq           int64  // of the last piece
	text          []byte
}

// deltaOf gives the delta of an update, if it is one.
func deltaOf(u *agent.Update) (*delta, bool) {
	d := &delta{session: u.SessionID, turn: u.TurnID, parent: u.ParentCallID, kind: u.Update.EventType(), idName: "messageId", seq: u.Seq}
	switch e := u.Update.(type) {
	case agent.MessageDelta:
		d.id, d.text = e.MessageID, []byte(e.Text)
	case agent.ThoughtDelta:
		d.id, d.text = e.MessageID, []byte(e.Text)
	case agent.ToolOutputDelta:
		d.idName, d.id, d.text = "toolCallId", e.ToolCallID, []byte(e.Text)
	default:
		return nil, false
	}
	return d, true
}

// Join implements wire.Growing: it adds the text of next if that goes on where
// d ends.
func (d *delta) Join(g wire.Growing) (int, bool) {
	next, ok := g.(*delta)
	if !ok || d.session != next.session || d.turn != next.turn || d.parent != next.parent || d.kind != next.kind || d.id != next.id || len(d.text)+len(next.text) > 256<<10 {
		return 0, false
	}
	d.text = append(d.text, next.text...)
	d.seq = next.seq
	return len(next.text), true
}

// Size implements wire.Growing.
func (d *delta) Size() int { return len(d.text) + 128 }

// Encode implements wire.Growing.
func (d *delta) Encode(b []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	b = wire.AppendString(b, d.session)
	if d.turn != "" {
		b = append(b, `,"turnId":`...)
		b = wire.AppendString(b, d.turn)
	}
	b = append(b, `,"seq":`...)
	b = strconv.AppendInt(b, d.seq, 10)
	if d.parent != "" {
		b = append(b, `,"parentToolCallId":`...)
		b = wire.AppendString(b, d.parent)
	}
	b = append(b, `,"update":{"type":"`...)
	b = append(b, d.kind...)
	b = append(b, `","`...)
	b = append(b, d.idName...)
	b = append(b, `":`...)
	b = wire.AppendString(b, d.id)
	b = append(b, `,"text":`...)
	b = wire.AppendString(b, d.text)
	return append(b, `}}}`...)
}
