package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// maxDigestText is how much of a user's message a recorder keeps.
const maxDigestText = 200

// digest describes a request for a recording.
func digest(req *Request) replayRequest {
	d := replayRequest{
		Conversation: cutText(firstUserText(req.Messages)),
		Step:         1,
		Messages:     len(req.Messages),
	}
	for _, m := range req.Messages {
		if m.Role == RoleAssistant {
			d.Step++
		}
	}
	d.User, d.Results = lastSaid(req.Messages)
	d.User = cutText(d.User)
	if len(req.Tools) > 0 {
		h := sha256.New()
		for _, t := range req.Tools {
			_, _ = fmt.Fprintln(h, t.Name)
		}
		d.Tools = hex.EncodeToString(h.Sum(nil)[:4])
	}
	return d
}

func firstUserText(messages []*Message) string {
	for _, m := range messages {
		if m.Role == RoleUser {
			return m.Text()
		}
	}
	return ""
}

// lastSaid gives what came after the last assistant message: the user's text,
// or the names of the tools that answered.
func lastSaid(messages []*Message) (user string, results []string) {
	names := map[string]string{}
	for _, m := range messages {
		if m.Role == RoleAssistant {
			user, results = "", nil
			clear(names)
			for _, c := range m.ToolCalls {
				names[c.ID] = c.Name
			}
			continue
		}
		if m.Role == RoleTool {
			results = append(results, names[m.ToolCallID])
		} else {
			user = m.Text()
		}
	}
	return user, results
}

// cutText makes one line of at most maxDigestText bytes.
func cutText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxDigestText {
		s = strings.ToValidUTF8(s[:maxDigestText], "")
	}
	return s
}

// sameText compares a recorded text, which may have been cut.
func sameText(recorded, text string) bool {
	return recorded == "" || strings.HasPrefix(strings.Join(strings.Fields(text), " "), cutText(recorded))
}

// belongs reports whether a block is for the conversation that starts so.
func (b *replayBlock) belongs(first string) bool {
	c := cutText(b.request.Conversation)
	return c != "" && strings.Contains(strings.Join(strings.Fields(first), " "), c)
}

// chosen reports whether the block's conditions hold for a history that ends
// where a reply is due.
func (b *replayBlock) chosen(history []*Message, step int) bool {
	if b.request.Step != 0 && b.request.Step != step {
		return false
	}
	return b.when == nil || b.when.holds(history)
}

func (w *replayWhen) holds(history []*Message) bool {
	var last []*Message // tool results after the last assistant message
	user := ""
	for _, m := range history {
		switch m.Role {
		case RoleAssistant:
			last = nil
		case RoleTool:
			last = append(last, m)
		default:
			user = m.Text()
		}
	}
	if w.ToolResultContains != "" && !slices.ContainsFunc(last, func(m *Message) bool {
		return strings.Contains(m.Text(), w.ToolResultContains)
	}) {
		return false
	}
	if w.Denied != nil && slices.ContainsFunc(last, func(m *Message) bool { return m.Denied }) != *w.Denied {
		return false
	}
	return strings.Contains(user, w.UserContains)
}

// differs says in what a request differs from the recorded one, or "".
func (r *replayRequest) differs(req *Request) string {
	user, results := lastSaid(req.Messages)
	if !sameText(r.User, user) {
		return fmt.Sprintf("the recording has the prompt %q here, the request %q", r.User, cutText(user))
	}
	if r.Results != nil && !slices.Equal(r.Results, results) {
		return fmt.Sprintf("the recording has results of %s here, the request of %s", list(r.Results), list(results))
	}
	return ""
}

func list(names []string) string {
	if len(names) == 0 {
		return "no tool"
	}
	return strings.Join(names, ", ")
}
