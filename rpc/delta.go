package rpc

import (
	"strconv"
	"unicode/utf8"

	"github.com/agentd-dev/agentd/agent"
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
func deltaOf(u *agent.Update) (delta, bool) {
	d := delta{session: u.SessionID, turn: u.TurnID, parent: u.ParentCallID, kind: u.Update.EventType(), idName: "messageId", seq: u.Seq}
	switch e := u.Update.(type) {
	case agent.MessageDelta:
		d.id, d.text = e.MessageID, []byte(e.Text)
	case agent.ThoughtDelta:
		d.id, d.text = e.MessageID, []byte(e.Text)
	case agent.ToolOutputDelta:
		d.idName, d.id, d.text = "toolCallId", e.ToolCallID, []byte(e.Text)
	default:
		return delta{}, false
	}
	return d, true
}

// join adds the text of next if it goes on where d ends.
func (d *delta) join(next *delta) bool {
	if d.session != next.session || d.turn != next.turn || d.parent != next.parent || d.kind != next.kind || d.id != next.id || len(d.text)+len(next.text) > 256<<10 {
		return false
	}
	d.text = append(d.text, next.text...)
	d.seq = next.seq
	return true
}

// encode appends the whole notification.
func (d *delta) encode(b []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	b = appendString(b, d.session)
	if d.turn != "" {
		b = append(b, `,"turnId":`...)
		b = appendString(b, d.turn)
	}
	b = append(b, `,"seq":`...)
	b = strconv.AppendInt(b, d.seq, 10)
	if d.parent != "" {
		b = append(b, `,"parentToolCallId":`...)
		b = appendString(b, d.parent)
	}
	b = append(b, `,"update":{"type":"`...)
	b = append(b, d.kind...)
	b = append(b, `","`...)
	b = append(b, d.idName...)
	b = append(b, `":`...)
	b = appendString(b, d.id)
	b = append(b, `,"text":`...)
	b = appendString(b, d.text)
	return append(b, `}}}`...)
}

// appendString appends a JSON string; bytes that are no UTF-8 become U+FFFD.
func appendString[S string | []byte](b []byte, s S) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			b = append(b, s[from:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\t':
				b = append(b, '\\', 't')
			case '\r':
				b = append(b, '\\', 'r')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && n == 1 {
			b = append(b, s[from:i]...)
			b = append(b, "\uFFFD"...)
			i++
			from = i
			continue
		}
		i += n
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}
