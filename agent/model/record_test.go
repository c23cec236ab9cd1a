package model

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestRecordAndReplay records a conversation and plays it back.
func TestRecordAndReplay(t *testing.T) {
	source := replay(t, `{"request":{}}
{"error":{"kind":"rate_limited","message":"slow"}}
`+branching, Options{})
	var file bytes.Buffer
	rec := NewRecorder(source, &file)
	play := func(m Model) string {
		c := &talk{t: t, m: m}
		c.user("please go")
		out := c.ask() + "\n"
		if strings.HasPrefix(out, "error") {
			out = c.ask() + "\n"
		}
		c.answer("a secret tool result that is fine", false)
		out += c.ask() + "\n"
		c.user("more")
		return out + c.ask()
	}
	original := play(rec)
	if rec.Name() != "replay:t" || rec.Err() != nil {
		t.Errorf("name %s, error %v", rec.Name(), rec.Err())
	}
	text := regexp.MustCompile(`,"ms":\d+`).ReplaceAllString(file.String(), "") // how long it took is not the subject
	if strings.Contains(text, "secret tool result") {
		t.Errorf("a tool's result is in the recording:\n%s", text)
	}
	for _, line := range []string{
		`{"agentd":"replay","version":1,"name":"replay:t"}`,
		`{"error":{"kind":"rate_limited","message":"slow"}}`,
		`{"request":{"conversation":"please go","step":1,"user":"please go","messages":1,"tools":"`,
		`{"call":{"id":"replay_1","name":"f","arguments":{"a":[1,"<b>"]}}}`,
		`{"call":{"id":"own","name":"g","arguments":"{broken"}}`,
		`{"request":{"conversation":"please go","step":2,"results":["f","g"],"messages":4,`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	p, err := NewReplay("t", &file, Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	again := play(p)
	same := strings.NewReplacer(`[1, "<b>"]`, `[1,"<b>"]`, ` ("")`, "", ` ("tool_calls")`, "").Replace
	compare(t, "played back", same(again), same(original))
}

func TestTapeJoinsDeltas(t *testing.T) {
	start := time.Unix(0, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	tp := newTape(replayRequest{}, at(0))
	tp.add(ThoughtDelta{"h"}, at(100))
	tp.add(ThoughtDelta{"m"}, at(200))
	tp.add(TextDelta{"a "}, at(300))
	tp.add(TextDelta{"b "}, at(400))
	tp.add(TextDelta{"c"}, at(1400))
	tp.add(Finish{Message: &Message{}, Reason: FinishStop, RawReason: "stop"}, at(1500))
	var b bytes.Buffer
	for _, l := range tp.lines[1:] {
		if err := writeLine(&b, l); err != nil {
			t.Fatal(err)
		}
	}
	compare(t, "lines", b.String(), `{"thought":"hm","ms":200}
{"text":"a b ","ms":200}
{"text":"c","ms":1000}
{"finish":"stop","ms":100}
`)
}

// brokenWriter fails after the first write.
type brokenWriter struct{ writes int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes > 1 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestRecorderOutlivesItsFile(t *testing.T) {
	rec := NewRecorder(replay(t, "{\"request\":{},\"forever\":true}\n{\"text\":\"a\"}\n", Options{}), &brokenWriter{})
	c := &talk{t: t, m: rec}
	c.user("a")
	compare(t, "reply", c.ask(), "text \"a\"\nfinish stop")
	compare(t, "reply", c.ask(), "text \"a\"\nfinish stop")
	if rec.Err() == nil || !strings.Contains(rec.Err().Error(), "disk full") {
		t.Errorf("error %v", rec.Err())
	}
}

// endless never finishes by itself.
type endless struct{}

func (endless) Name() string { return "endless" }

func (endless) Stream(context.Context, *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for yield(TextDelta{"a"}, nil) {
		}
	}
}

func TestRecorderLeavesOutWhatWasBrokenOff(t *testing.T) {
	var file bytes.Buffer
	rec := NewRecorder(endless{}, &file)
	for range rec.Stream(t.Context(), &Request{}) {
		break
	}
	if file.Len() > 0 {
		t.Errorf("recorded: %s", file.String())
	}
}
