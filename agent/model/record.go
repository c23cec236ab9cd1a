package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"
)

// recordPause ends a line of a recording: deltas that come closer together
// than this are joined.
const recordPause = 400 * time.Millisecond

// Recorder is a model that writes down what another says, for Replay. A request
// that fails is written down with its error, one that is cancelled is left out.
// A recording holds the user's prompts (their beginnings) and the replies; never
// a header, the system prompt or a tool's result.
type Recorder struct {
	model Model

	mu     sync.Mutex // guards what follows: a reply is written in one piece
	w      io.Writer
	header bool
	err    error
}

// NewRecorder records m to w, in the replay format. A file of it should be
// readable by its owner only.
func NewRecorder(m Model, w io.Writer) *Recorder {
	return &Recorder{model: m, w: w}
}

// Name is the name of the model that is recorded.
func (r *Recorder) Name() string { return r.model.Name() }

// Err is the first error of writing. It does not disturb the session.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Stream implements Model.
func (r *Recorder) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		tape := newTape(digest(req), time.Now())
		for e, err := range r.model.Stream(ctx, req) {
			if err == nil {
				tape.add(e, time.Now())
			}
			if _, ok := e.(Finish); ok && err == nil || tape.fail(err, time.Now()) {
				r.write(tape)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (r *Recorder) write(t *tape) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	var b bytes.Buffer
	if !r.header {
		r.err = writeLine(&b, replayHeader{Agentd: "replay", Version: replayVersion, Name: r.model.Name()})
		r.header = true
	}
	for _, l := range t.lines {
		if err := writeLine(&b, l); err != nil && r.err == nil {
			r.err = err
		}
	}
	if r.err == nil {
		_, r.err = r.w.Write(b.Bytes())
	}
	if r.err != nil {
		r.err = fmt.Errorf("writing the recording: %w", r.err)
	}
}

func writeLine(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// tape is one reply being recorded.
type tape struct {
	lines []replayLine
	start time.Time // of the last line
	last  time.Time // of the last event
}

func newTape(d replayRequest, now time.Time) *tape {
	return &tape{lines: []replayLine{{Request: &d}}, start: now, last: now}
}

func (t *tape) add(e Event, now time.Time) {
	last := &t.lines[len(t.lines)-1]
	soon := now.Sub(t.last) < recordPause
	t.last = now
	switch e := e.(type) {
	case TextDelta:
		if last.Text != "" && soon {
			last.Text += e.Text
			last.MS = int(now.Sub(t.start).Milliseconds())
		} else {
			t.line(replayLine{Text: e.Text}, now)
		}
	case ThoughtDelta:
		if last.Thought != "" && soon {
			last.Thought += e.Text
			last.MS = int(now.Sub(t.start).Milliseconds())
		} else {
			t.line(replayLine{Thought: e.Text}, now)
		}
	case Finish:
		for _, c := range e.Message.ToolCalls {
			t.line(replayLine{Call: &replayCall{ID: c.ID, Name: c.Name, Arguments: recordedArguments(c.Arguments)}}, now)
		}
		if e.Usage != nil && *e.Usage != (Usage{}) {
			t.line(replayLine{Usage: e.Usage}, now)
		}
		reason := e.RawReason
		if reason == "" {
			reason = string(e.Reason)
		}
		t.line(replayLine{Finish: reason}, now)
	}
}

// fail adds the error that a reply ended with. It reports whether there was one
// that belongs into a recording.
func (t *tape) fail(err error, now time.Time) bool {
	var e *Error
	if !errors.As(err, &e) || e.Kind == ErrCancelled {
		return false
	}
	t.line(replayLine{Error: &replayError{Kind: e.Kind, Message: e.Error(), RetryAfterMS: int(e.RetryAfter.Milliseconds())}}, now)
	return true
}

// line starts a new line; its time is that since the last one ended.
func (t *tape) line(l replayLine, now time.Time) {
	if n := len(t.lines); n > 1 {
		t.start = t.start.Add(time.Duration(t.lines[n-1].MS) * time.Millisecond)
	}
	l.MS = int(now.Sub(t.start).Milliseconds())
	t.lines = append(t.lines, l)
}

// recordedArguments writes an object as such, anything else as a string.
func recordedArguments(s string) json.RawMessage {
	if b := bytes.TrimSpace([]byte(s)); bytes.HasPrefix(b, []byte("{")) && json.Valid(b) {
		var compact bytes.Buffer
		if json.Compact(&compact, b) == nil {
			return compact.Bytes()
		}
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return b
}
