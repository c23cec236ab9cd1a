package agent

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/store"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// Session is one conversation over one workspace. At most one turn runs in it
// at a time. It is safe for concurrent use.
type Session struct {
	ID string
	// loading is set until a stored session is ready; Agent.mu guards it.
	loading bool

	// parent is the session that a subagent works for; nil at the top. label is
	// its task, for the person.
	parent  *Session
	depth   int
	label   string
	trusted bool // the workspace, by the person
	skills  []skill
	types   []AgentType // further kinds of subagents

	agent    *Agent
	client   Client
	files    *editstate.Workspace
	spool    *tools.Spool
	undo     *editstate.Undo
	breaker  *tools.Breaker
	dispatch *tools.Dispatcher
	journal  journal
	guides   instructions
	servers  servers
	team     *team // nil in subagents
	system   string

	// life ends when the session is closed.
	life context.Context
	end  context.CancelFunc

	// emitting keeps updates in the order of their seq.
	emitting sync.Mutex
	seq      int64

	// asking is held while a question to the person is open: one at a time.
	asking chan struct{}

	mu      sync.Mutex
	model   model.Model
	mode    Mode
	effort  Effort
	grants  map[string]bool
	turn    *turn   // the running one
	queue   []*Turn // prompts that wait for it
	turns   int
	history []*model.Message
	account account
	room    room
	notes   []tools.Note // for the model's next request
	custom  []CustomCommand
	title   string
	plan    []tools.Step
	closed  bool

	// Used by the running turn only.
	message int             // numbers the model's messages
	callIDs map[string]bool // used in this session
}

func (s *Session) begin() {
	s.life, s.end = context.WithCancel(context.Background())
	s.asking = make(chan struct{}, 1)
	s.grants = map[string]bool{}
	s.callIDs = map[string]bool{}
	s.journal.redact = s.agent.cfg.Redactor
	s.journal.failed = func(err error) {
		s.emit(s.life, s.turnID(), NoticeEvent{Level: "warning", Kind: "not_stored", Message: "nothing more of this session can be stored; opened again later it ends here: " + err.Error()})
	}
}

// emit tells the client of an event.
func (s *Session) emit(ctx context.Context, turnID string, e Event) { s.emitUnder(ctx, turnID, "", e) }

// emitUnder tells the client of an event of a subagent that a call has started.
func (s *Session) emitUnder(ctx context.Context, turnID, call string, e Event) {
	s.emitting.Lock()
	defer s.emitting.Unlock()
	s.seq++
	s.journal.event(turnID, call, s.seq, e)
	s.client.Emit(ctx, Update{SessionID: s.ID, TurnID: turnID, Seq: s.seq, ParentCallID: call, Update: e})
}

// Title is what the session is called; "" before its first prompt.
func (s *Session) Title() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.title
}

// Mode is the session's mode.
func (s *Session) Mode() Mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

// SetMode changes the mode, also while a turn runs: it holds from the next
// call on.
func (s *Session) SetMode(mode string) error {
	m, err := ParseMode(mode)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.mode = m
	s.mu.Unlock()
	s.journal.config(store.Config{Mode: string(m)})
	s.tellConfig()
	return nil
}

// ModelName is the name of the session's model.
func (s *Session) ModelName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.model.Name()
}

// SetModel changes the model; it holds from the next request on.
func (s *Session) SetModel(name string) error {
	m, err := s.agent.cfg.Models.Open(name)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.model = m
	s.mu.Unlock()
	s.journal.config(store.Config{Model: name})
	s.tellConfig()
	return nil
}

// tellConfig tells the client what holds now, whoever has changed it.
func (s *Session) tellConfig() {
	s.emit(s.life, s.turnID(), ConfigEvent{s.Mode(), s.ModelName(), s.Effort()})
}

// Ledger lists what the model has read, for debugging.
func (s *Session) Ledger() []editstate.LedgerEntry { return s.files.Ledger().Entries() }

// Undo puts the files that a turn changed back, as far as nobody has changed
// them since; "" is the last turn that changed any. It does not run beside a
// turn.
func (s *Session) Undo(ctx context.Context, turnID string) (*editstate.Undone, error) {
	begun, err := s.Begin(ctx, nil, false)
	if err != nil {
		return nil, err
	}
	t := begun.wait()
	if t == nil {
		return nil, ctx.Err()
	}
	defer t.finish()
	return t.undo(turnID)
}

func (t *turn) undo(turnID string) (*editstate.Undone, error) {
	done, err := t.s.files.Undo(t.ctx, turnID, t.id)
	if errors.Is(err, editstate.ErrNothingToUndo) {
		return nil, &Error{Kind: ErrInvalid, Message: "there is nothing to undo", Err: err}
	}
	return done, err
}

// notify leaves a note for the model and tells the client.
func (s *Session) notify(n tools.Note) {
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.notes = append(s.notes, n)
	}
	s.mu.Unlock()
	if !closed {
		s.emit(s.life, s.turnID(), NoticeEvent{Level: "info", Kind: "background", Message: s.agent.cfg.Redactor.Text(n.Text)})
	}
}

// takeNotes gives the notes that still say something new.
func (s *Session) takeNotes() []string {
	s.mu.Lock()
	notes := s.notes
	s.notes = nil
	s.mu.Unlock()
	var out []string
	for _, n := range notes {
		if n.Stale == nil || !n.Stale() {
			out = append(out, strings.TrimSpace(s.agent.cfg.Redactor.Text(n.Text)+" "+n.Hint))
		}
	}
	return out
}

// notifyClosing logs what did not end with its session.
func (s *Session) notifyClosing(err error) {
	slog.Warn("closing a session", "session", s.ID, "err", err)
}

// filesChanged is told by the watcher of files that the model had read.
func (s *Session) filesChanged(paths []string) {
	s.emit(s.life, s.turnID(), NoticeEvent{Level: "info", Kind: "stale_files",
		Message: "changed since the model read it: " + strings.Join(paths, ", ")})
}

func (s *Session) turnID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil {
		return ""
	}
	return s.turn.id
}

// closeGrace is how long a closing session waits for its turn to settle.
const closeGrace = time.Second

// close ends the turn and lets go of everything. It may be called once.
func (s *Session) close() {
	s.mu.Lock()
	s.closed = true
	s.dropQueue()
	t := s.turn
	s.mu.Unlock()
	if t != nil {
		t.cancel()
		select {
		case <-t.done:
		case <-time.After(closeGrace): // what it has started is ended all the same
		}
	}
	s.end()
	s.closeServers()
	if err := s.dispatch.Env.Close(); err != nil {
		s.notifyClosing(err)
	}
	s.files.Close()
	stored := s.journal.begun()
	s.journal.close()
	s.undo.Close()
	if !stored { // nobody can come back to it
		s.agent.store.Discard(s.ID)
	}
}

// Busy reports whether a turn is running or waits.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn != nil
}

// Stored reports whether the session can be loaded once it is closed.
func (s *Session) Stored() bool { return s.journal.begun() }
