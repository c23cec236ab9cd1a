package agent

import (
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/store"
)

// TestWellFormed repairs a history whose file has damaged lines: each call has its
// one result right behind it.
func TestWellFormed(t *testing.T) {
	user := model.TextMessage(model.RoleUser, "go")
	calls := func(ids ...string) *model.Message {
		m := &model.Message{Role: model.RoleAssistant}
		for _, id := range ids {
			m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: id, Name: "x"})
		}
		return m
	}
	shape := func(list []*model.Message) string {
		var b strings.Builder
		for _, m := range list {
			b.WriteString(string(m.Role[:1]) + m.ToolCallID)
			for _, c := range m.ToolCalls {
				b.WriteString("+" + c.ID)
			}
			b.WriteString(" ")
		}
		return strings.TrimSpace(b.String())
	}
	for want, list := range map[string][]*model.Message{
		"u a+1+2 t2 t1 u": {user, calls("1", "2"), toolMessage("2", ""), user},
		"u a+1 t1 a+1 t1": {user, calls("1"), toolMessage("1", ""), toolMessage("1", ""), calls("1"), toolMessage("1", "")},
		"u u":             {user, toolMessage("1", ""), user},
		"u a+1 t1 a+2":    {user, calls("1"), calls("2")},
		"a+1 t1 a u":      {calls("1"), calls(), user},
	} {
		if got := shape(wellFormed(list)); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// TestBrokenOff finds the turn that a crash has broken off, wherever it came.
func TestBrokenOff(t *testing.T) {
	event := func(e Event) store.Record {
		b, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		return store.Record{Turn: "t1", Event: b}
	}
	records := []store.Record{
		event(StateEvent{State: Running}),
		event(UserMessage{MessageID: "t1-user"}),
		{Turn: "t1", Message: model.TextMessage(model.RoleUser, "go")},
		event(StateEvent{State: Waiting}),
		event(StateEvent{State: Running}),
		event(StateEvent{State: Idle}),
		{Turn: "t1", End: string(StopEndTurn)},
	}
	for n := range len(records) + 1 {
		want := ""
		if n > 0 && n < 6 {
			want = "t1"
		}
		if got := storedState(records[:n]).open; got != want {
			t.Errorf("after %d records %q is open, not %q", n, got, want)
		}
	}
}
