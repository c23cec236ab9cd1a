package model

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	_ Model = (*Replay)(nil)
	_ Model = (*Recorder)(nil)
)

const replayHead = `{"agentd":"replay","version":1,"name":"t","note":"a test"}` + "\n"

func replay(t *testing.T, lines string, opts Options) *Replay {
	t.Helper()
	p, err := NewReplay("t", strings.NewReader(replayHead+lines), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// talk is a conversation with a model.
type talk struct {
	t    *testing.T
	m    Model
	hist []*Message
}

// ask sends the history, keeps the reply and gives it as show does.
func (c *talk) ask() string {
	c.t.Helper()
	req := &Request{Messages: c.hist, Tools: []Tool{{Name: "f"}}}
	return show(func(yield func(Event, error) bool) {
		for e, err := range c.m.Stream(c.t.Context(), req) {
			if fin, ok := e.(Finish); ok && err == nil {
				c.hist = append(c.hist, fin.Message)
			}
			if !yield(e, err) {
				return
			}
		}
	})
}

func (c *talk) user(text string) { c.hist = append(c.hist, TextMessage(RoleUser, text)) }

// answer gives the calls of the last message a result.
func (c *talk) answer(text string, denied bool) {
	for _, call := range c.hist[len(c.hist)-1].ToolCalls {
		c.hist = append(c.hist, &Message{Role: RoleTool, ToolCallID: call.ID, Parts: []Part{{Text: text}}, Denied: denied})
	}
}

const branching = `
# what the assistant says first
{"request":{}}
{"thought":"hm"}
{"text":"Look: "}
{"call":{"name":"f","arguments":{"a":[1, "<b>"]}}}
{"call":{"id":"own","name":"g","arguments":"{broken"}}
{"usage":{"inputTokens":3,"outputTokens":4}}

{"request":{},"when":{"denied":true}}
{"text":"Denied, then."}
{"request":{},"when":{"denied":false,"toolResultContains":"fine"}}
{"text":"All fine."}
{"finish":"stop"}
{"request":{},"when":{"userContains":"more"}}
{"text":"More."}
{"request":{},"forever":true}
{"text":"That is all."}
`

func TestReplayBranches(t *testing.T) {
	first := "thought \"hm\"\ntext \"Look: \"\ncall replay_1 f {\"a\":[1, \"<b>\"]}\ncall own g {broken\nfinish tool_calls (\"\") 3+4"
	for _, tc := range []struct {
		result string
		denied bool
		want   string
	}{
		{"fine", false, "text \"All fine.\"\nfinish stop"},
		{"no", true, "text \"Denied, then.\"\nfinish stop"},
		{"bad", false, "text \"That is all.\"\nfinish stop"},
	} {
		c := &talk{t: t, m: replay(t, branching, Options{})}
		c.user("go")
		compare(t, "first", c.ask(), first)
		c.answer(tc.result, tc.denied)
		compare(t, tc.result, c.ask(), tc.want)
		c.user("thanks")
		compare(t, "then", c.ask(), "text \"That is all.\"\nfinish stop")
		c.user("more")
		compare(t, "for ever", c.ask(), "text \"That is all.\"\nfinish stop")
	}
}

// TestReplayIsStateless checks that sessions do not disturb each other and
// that the same request gets the same reply.
func TestReplayIsStateless(t *testing.T) {
	p := replay(t, "{\"request\":{}}\n{\"text\":\"one\"}\n{\"request\":{}}\n{\"text\":\"two\"}\n", Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c := &talk{t: t, m: p}
			c.user("a")
			compare(t, "first", c.ask(), "text \"one\"\nfinish stop")
			c.user("b")
			compare(t, "second", c.ask(), "text \"two\"\nfinish stop")
			c.user("c")
			compare(t, "third", c.ask(), "error replay_mismatch: replay:t has no reply left for request 3 of this conversation")
		})
	}
	wg.Wait()
}

func TestReplayErrors(t *testing.T) {
	p := replay(t, `{"request":{}}
{"text":"par"}
{"error":{"kind":"rate_limited","message":"slow","retryAfterMs":1500}}
{"request":{}}
{"error":{"kind":"stream_cut","message":"cut"}}
{"request":{}}
{"text":"one"}
{"request":{}}
{"text":"two"}
`, Options{})
	req := &Request{Messages: []*Message{TextMessage(RoleUser, "a")}}
	for _, err := range p.Stream(t.Context(), req) {
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.RetryAfter != 1500*time.Millisecond || !e.Retryable()) {
			t.Errorf("%v", err)
		}
	}
	compare(t, "second try", show(p.Stream(t.Context(), req)), "error stream_cut: cut")
	c := &talk{t: t, m: p}
	c.user("a")
	compare(t, "third try", c.ask(), "text \"one\"\nfinish stop")
	c.user("b")
	compare(t, "then", c.ask(), "text \"two\"\nfinish stop")
}

func TestReplayConversations(t *testing.T) {
	lines := "{\"request\":{\"conversation\":\"sub task\"}}\n{\"text\":\"sub\"}\n" + replayHead + "{\"request\":{}}\n{\"text\":\"main\"}\n"
	for first, want := range map[string]string{"do the sub  task now": "sub", "anything": "main"} {
		c := &talk{t: t, m: replay(t, lines, Options{})}
		c.user(first)
		compare(t, first, c.ask(), "text \""+want+"\"\nfinish stop")
	}
}

func TestReplayStrict(t *testing.T) {
	lines := `{"request":{"user":"fix  it"}}
{"call":{"name":"f"}}
{"request":{"results":["f"]}}
{"text":"done"}
`
	c := &talk{t: t, m: replay(t, lines, Options{Strict: true})}
	c.user("fix it, please")
	compare(t, "first", c.ask(), "call replay_1 f\nfinish tool_calls (\"\")")
	c.user("stop")
	compare(t, "no results", c.ask(), `error replay_mismatch: replay:t, line 4: the recording has results of f here, the request of no tool`)
	c = &talk{t: t, m: replay(t, lines, Options{Strict: true})}
	c.user("break it")
	compare(t, "prompt", c.ask(), `error replay_mismatch: replay:t, line 2: the recording has the prompt "fix  it" here, the request "break it"`)
	c.m = replay(t, lines, Options{})
	compare(t, "not strict", c.ask(), "call replay_1 f\nfinish tool_calls (\"\")")
	named := `{"request":{"conversation":"fix it"}}` + "\n" + `{"text":"done"}` + "\n"
	c.m = replay(t, named, Options{Strict: true})
	compare(t, "other conversation", show(c.m.Stream(t.Context(), &Request{Messages: c.hist[:1]})),
		`error replay_mismatch: replay:t has no conversation that starts with "break it"; the first starts with "fix it"`)
	c.m = replay(t, named, Options{})
	compare(t, "other conversation, not strict", show(c.m.Stream(t.Context(), &Request{Messages: c.hist[:1]})), "text \"done\"\nfinish stop")
}

func TestReplayRealTime(t *testing.T) {
	p := replay(t, "{\"request\":{}}\n{\"text\":\"one two\\n three \",\"ms\":3}\n{\"text\":\"x\"}\n{\"finish\":\"stop\",\"ms\":3600000}\n", Options{RealTime: true})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var pieces []string
	var last error
	for e, err := range p.Stream(ctx, &Request{}) {
		last = err
		if d, ok := e.(TextDelta); ok {
			if pieces = append(pieces, d.Text); d.Text == "x" {
				cancel()
			}
		}
	}
	if got := strings.Join(pieces, "|"); got != "one |two\n |three |x" {
		t.Errorf("pieces %q", got)
	}
	var e *Error
	if !errors.As(last, &e) || e.Kind != ErrCancelled || !errors.Is(last, context.Canceled) {
		t.Errorf("error %v", last)
	}
}

func TestReplayIsRefused(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"", "the file is empty"},
		{"hello\n", "line 1: a replay starts with"},
		{`{"agentd":"other","version":1}`, "line 1: a replay starts with"},
		{`{"agentd":"replay","version":9}`, "line 1: replay version 9 is not known"},
		{replayHead + `{"text":"a"}`, "line 2: a reply needs a request line"},
		{replayHead + `{"request":{}}`, "line 2: this request has no reply"},
		{replayHead + "{\"request\":{}}\n{}", "line 3: the line says nothing"},
		{replayHead + "{\"request\":{}}\n{\"txt\":\"a\"}", "unknown field"},
		{replayHead + "{\"request\":{}}\n{\"call\":{\"name\":\"\"}}", "the call has no name"},
		{replayHead + "{\"request\":{}}\n{\"text\":\"a\",\"forever\":true}", "belong to the request line"},
	} {
		_, err := NewReplay("t", strings.NewReader(tc.in), Options{})
		var e *Error
		if !errors.As(err, &e) || e.Kind != ErrUnavailable || !strings.Contains(e.Message, tc.want) {
			t.Errorf("%q: %v", tc.in, err)
		}
	}
}
