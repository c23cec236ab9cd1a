package agent

import (
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/store"
	"github.com/agentd-dev/agentd/tools"
)

// journal writes a session to its file: what the client was told, what the model
// was told, and where turns end. It begins with the first prompt. Secrets are
// masked. It is safe for concurrent use.
type journal struct {
	redact *tools.Redactor
	failed func(error) // told once, when writing fails

	mu     sync.Mutex
	log    *store.Log // nil until the session has something to keep
	broken bool

	// Pieces of a text are gathered, and written as one event.
	turn, call, kind, id string
	text                 strings.Builder
	seq                  int64
}

// mostGathered bounds a gathered text, and with it what a crash can lose of it.
const mostGathered = 32 << 10

// begin opens the file.
func (j *journal) begin(open func() (*store.Log, error)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log != nil || j.broken {
		return
	}
	l, err := open()
	if err != nil {
		j.fail(err)
		return
	}
	j.log = l
}

// begun reports whether there is a file.
func (j *journal) begun() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log != nil
}

func (j *journal) fail(err error) {
	if j.broken {
		return
	}
	j.broken = true
	slog.Error("the session is not stored any more", "err", err)
	if j.failed != nil {
		go j.failed(err) // it emits an event, which comes back here
	}
}

// write adds a record. j.mu is held.
func (j *journal) write(r store.Record) {
	if j.log == nil || j.broken {
		return
	}
	if err := j.log.Append(r); err != nil {
		j.fail(err)
	}
}

// event notes an event as the client is told it.
func (j *journal) event(turn, call string, seq int64, e Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch e.(type) {
	case ServersEvent, TeamEvent: // how they are now is nothing to remember
		return
	}
	if j.log == nil {
		return
	}
	kind, id, text := pieceOf(e)
	if kind == "" {
		j.flush()
		j.put(turn, call, seq, e)
		return
	}
	if j.turn != turn || j.call != call || j.kind != kind || j.id != id || j.text.Len()+len(text) > mostGathered {
		j.flush()
	}
	j.turn, j.call, j.kind, j.id, j.seq = turn, call, kind, id, seq
	j.text.WriteString(text)
}

// put writes an event. j.mu is held.
func (j *journal) put(turn, call string, seq int64, e Event) {
	b, err := EncodeEvent(e)
	if err != nil {
		slog.Error("an event cannot be stored", "type", e.EventType(), "err", err)
		return
	}
	j.write(store.Record{Turn: turn, Call: call, Seq: seq, Event: j.redact.JSON(b)})
}

// flush writes the gathered text. j.mu is held.
func (j *journal) flush() {
	if j.text.Len() == 0 {
		return
	}
	text := j.redact.Text(j.text.String())
	j.text.Reset()
	switch j.kind {
	case (MessageDelta{}).EventType():
		j.put(j.turn, j.call, j.seq, MessageDelta{j.id, text})
	case (ThoughtDelta{}).EventType():
		j.put(j.turn, j.call, j.seq, ThoughtDelta{j.id, text})
	default:
		j.put(j.turn, j.call, j.seq, ToolOutputDelta{j.id, text})
	}
}

// pieceOf tells events that are pieces of a text; kind is "" for others.
func pieceOf(e Event) (kind, id, text string) {
	switch e := e.(type) {
	case MessageDelta:
		return e.EventType(), e.MessageID, e.Text
	case ThoughtDelta:
		return e.EventType(), e.MessageID, e.Text
	case ToolOutputDelta:
		return e.EventType(), e.ToolCallID, e.Text
	}
	return "", "", ""
}

// message notes the next message of the history.
func (j *journal) message(turn string, m *model.Message) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log != nil {
		j.flush()
		j.write(store.Record{Turn: turn, Message: j.masked(m)})
	}
}

// history notes that the history is another one now.
func (j *journal) history(turn string, list []*model.Message) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return
	}
	masked := make([]*model.Message, len(list))
	for i, m := range list {
		masked[i] = j.masked(m)
	}
	j.write(store.Record{Turn: turn, History: masked})
}

// masked is a copy of a message without secrets.
func (j *journal) masked(m *model.Message) *model.Message {
	c := &model.Message{Role: m.Role, Reasoning: j.redact.Text(m.Reasoning), ToolCallID: m.ToolCallID, Denied: m.Denied}
	for _, p := range m.Parts {
		c.Parts = append(c.Parts, model.Part{Text: j.redact.Text(p.Text), Image: p.Image})
	}
	for _, t := range m.ToolCalls {
		args := t.Arguments
		if masked := j.redact.JSON([]byte(args)); string(masked) != args && !j.redact.Clean(args) {
			args = string(masked)
		}
		c.ToolCalls = append(c.ToolCalls, model.ToolCall{ID: t.ID, Name: t.Name, Arguments: args})
	}
	return c
}

// end notes the end of a turn, from where on the system may crash, too.
func (j *journal) end(turn string, stop StopReason) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return
	}
	j.flush()
	j.write(store.Record{Turn: turn, End: string(stop)})
	if err := j.log.Sync(); err != nil {
		j.fail(err)
	}
}

// config notes what was chosen.
func (j *journal) config(c store.Config) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.write(store.Record{Config: &c})
}

// close lets go of the file.
func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return
	}
	j.flush()
	if err := j.log.Close(); err != nil {
		slog.Warn("closing the file of a session", "err", err)
	}
	j.log, j.broken = nil, true
}

// titleOf makes a title of a prompt: its first line, shortened.
func titleOf(blocks []ContentBlock) string {
	for _, b := range blocks {
		for line := range strings.Lines(b.Text) {
			if line = oneLine(line); line != "" {
				return shorten(line, 60)
			}
		}
	}
	return "Untitled"
}

// oneLine makes one line of a text, without what a screen does not show or would
// obey: control characters, and those that turn the direction of writing.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return strings.TrimSpace(string(r[:most-1])) + "…"
}

// keep begins the session's file with its first prompt.
func (s *Session) keep(blocks []ContentBlock) {
	if s.journal.begun() {
		return
	}
	title := s.agent.cfg.Redactor.Text(titleOf(blocks))
	s.journal.begin(func() (*store.Log, error) {
		return s.agent.store.Create(store.Header{ID: s.ID, Cwd: s.files.Dir(), Roots: s.files.Roots()[1:], Title: title, Created: time.Now()})
	})
	s.journal.config(store.Config{Mode: string(s.Mode()), Model: s.ModelName(), Effort: string(s.Effort()), Off: s.switchedOff()})
	s.setTitle(title)
	s.emit(s.life, s.turnID(), SessionInfoEvent{title})
}

func (s *Session) setTitle(title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.title = title
}
