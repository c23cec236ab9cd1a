package agent

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/store"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// LoadSession opens a session that was stored. The client is told again all that
// it was told when it happened, with the same numbers; then the session is as it
// was, but for what a person has to allow anew: grants and tools that are off by
// default. A turn that was broken off is brought to an end, and nothing of it is
// run again.
func (a *Agent) LoadSession(id string, cfg SessionConfig, client Client) (*Session, error) {
	a.mu.Lock()
	open := a.sessions[id] != nil
	a.mu.Unlock()
	if open {
		return nil, &Error{Kind: ErrBusy, Message: fmt.Sprintf("the session %q is open already", id)}
	}
	log, h, records, err := a.store.Open(id)
	if err != nil {
		return nil, storeError(id, err)
	}
	last := storedState(records)
	cfg.loading, cfg.off = true, last.config.Off
	cfg.Cwd = cmp.Or(cfg.Cwd, h.Cwd)
	if cfg.Roots == nil { // else they are those of now: a folder may have been closed since
		cfg.Roots = h.Roots
	}
	if cfg.Mode == "" {
		cfg.Mode = Mode(last.config.Mode)
	}
	if cfg.Effort == "" {
		cfg.Effort = Effort(last.config.Effort)
	}
	if cfg.Model == "" {
		if _, err := a.cfg.Models.Open(last.config.Model); err == nil {
			cfg.Model = last.config.Model
		}
	}
	s, err := a.openSession(h.ID, cfg, client)
	if err != nil {
		log.Close()
		return nil, err
	}
	s.restore(last)
	s.setTitle(a.store.Title(h))
	s.undo.Restore()
	for _, r := range records {
		if r.Event == nil {
			continue
		}
		e, err := DecodeEvent(r.Event)
		if err != nil || e == nil {
			slog.Debug("a stored event is left out", "session", id, "err", err)
			continue
		}
		client.Emit(s.life, Update{SessionID: s.ID, TurnID: r.Turn, Seq: r.Seq, ParentCallID: r.Call, Update: e})
	}
	s.journal.begin(func() (*store.Log, error) { return log, nil })
	s.closeBroken(last)
	a.mu.Lock()
	s.loading = false
	a.mu.Unlock()
	return s, nil
}

func storeError(id string, err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return &Error{Kind: ErrSessionNotFound, Message: fmt.Sprintf("there is no stored session %q", id), Err: err}
	case errors.Is(err, store.ErrInUse):
		return &Error{Kind: ErrLocked, Message: fmt.Sprintf("the session %q is open in another window", id), Err: err}
	}
	return &Error{Kind: ErrInternal, Message: err.Error(), Err: err}
}

// stored is what the records of a session add up to.
type stored struct {
	history []*model.Message
	config  store.Config
	account account
	seq     int64
	turns   int
	message int
	plan    []tools.Step
	open    string          // the turn that was broken off, "" if none
	calls   []storedCall    // of it, that have not ended
	ids     map[string]bool // of calls
}

// storedCall is a call as the client was told of it last.
type storedCall struct {
	ToolCallEvent
	parent string // the call of the subagent that has made it
}

// storedState adds the records up.
func storedState(records []store.Record) stored {
	st := stored{ids: map[string]bool{}}
	running := map[string]storedCall{}
	var order []string
	for _, r := range records {
		st.seq = max(st.seq, r.Seq)
		if n, err := strconv.Atoi(strings.TrimPrefix(r.Turn, "t")); err == nil {
			st.turns = max(st.turns, n)
		}
		switch {
		case r.Message != nil:
			st.history = append(st.history, r.Message)
			st.open = r.Turn
		case r.History != nil:
			st.history = r.History
		case r.End != "":
			st.open = ""
			clear(running)
			order = nil
		case r.Config != nil:
			st.config.Mode, st.config.Model = cmp.Or(r.Config.Mode, st.config.Mode), cmp.Or(r.Config.Model, st.config.Model)
			st.config.Effort = cmp.Or(r.Config.Effort, st.config.Effort)
			if r.Config.Off != nil {
				st.config.Off = r.Config.Off
			}
		case r.Event != nil:
			e, err := DecodeEvent(r.Event)
			if err != nil {
				continue
			}
			switch e := e.(type) {
			case PlanEvent:
				if r.Call == "" {
					st.plan = e.Entries
				}
			case StateEvent: // a crash may come before the prompt, or after the end
				if r.Call == "" && e.State == Running {
					st.open = r.Turn
				} else if r.Call == "" && e.State == Idle {
					st.open = ""
				}
			case UsageEvent:
				st.account.replay(r.Turn, e)
			case MessageDelta:
				st.sawMessage(e.MessageID)
			case ThoughtDelta:
				st.sawMessage(e.MessageID)
			case ToolCallEvent:
				if _, seen := running[e.ToolCallID]; !seen {
					order = append(order, e.ToolCallID)
				}
				running[e.ToolCallID] = storedCall{e, r.Call}
				st.ids[e.ToolCallID] = true
			}
		}
	}
	for _, id := range order {
		if e := running[id]; e.Status == ToolPending || e.Status == ToolInProgress {
			st.calls = append(st.calls, e)
		}
	}
	st.history = wellFormed(st.history)
	return st
}

// sawMessage keeps the numbers of messages from being used again.
func (st *stored) sawMessage(id string) {
	if _, n, ok := strings.Cut(id, "-m"); ok {
		if n, err := strconv.Atoi(n); err == nil {
			st.message = max(st.message, n+1)
		}
	}
}

// lostResult stands in the place of a result that is not in the file.
const lostResult = "[The result of this call was lost.]"

// wellFormed drops results whose call is missing and puts others in the place of
// those that are, as after a damaged line: a server would refuse the whole history
// for either. The calls of the last message that has any may still be open.
func wellFormed(list []*model.Message) []*model.Message {
	var out []*model.Message
	var open []string
	for _, m := range list {
		if m.Role == model.RoleTool {
			i := slices.Index(open, m.ToolCallID)
			if i < 0 {
				continue
			}
			open = slices.Delete(open, i, i+1)
			out = append(out, m)
			continue
		}
		for _, id := range open {
			out = append(out, toolMessage(id, lostResult))
		}
		open = nil
		for _, c := range m.ToolCalls {
			open = append(open, c.ID)
		}
		out = append(out, m)
	}
	return out
}

// restore puts a new session into the state of a stored one.
func (s *Session) restore(st stored) {
	s.emitting.Lock()
	s.seq = st.seq
	s.emitting.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history, s.account, s.turns, s.message = st.history, st.account, st.turns, st.message
	s.plan = st.plan
	maps.Copy(s.callIDs, st.ids)
	for _, m := range st.history {
		for _, c := range m.ToolCalls {
			s.callIDs[c.ID] = true
		}
	}
}

// closeBroken brings a turn to an end that a crash has broken off: calls without
// an answer get one, for the client and for the model.
func (s *Session) closeBroken(st stored) {
	const what = "interrupted when agentd ended; it is not known what was done"
	for _, c := range st.calls {
		s.emitUnder(s.life, st.open, c.parent, ToolCallEvent{ToolCallID: c.ToolCallID, Tool: c.Tool, Status: ToolFailed, Text: what})
	}
	s.repairHistory(st.open)
	if st.open == "" {
		return
	}
	s.emit(s.life, st.open, NoticeEvent{Level: "warning", Kind: "interrupted", Message: "agentd ended in the middle of this turn; what had been done by then stays done"})
	s.emit(s.life, st.open, StateEvent{State: Idle, StopReason: StopCancelled})
	s.journal.end(st.open, StopCancelled)
}

// ListSessions lists stored sessions; see store.Store.List.
func (a *Agent) ListSessions(cwd, cursor string, limit int) ([]store.Info, string, error) {
	list, next, err := a.store.List(cwd, cursor, limit)
	if err != nil {
		return nil, "", &Error{Kind: ErrInvalid, Message: err.Error(), Err: err}
	}
	return list, next, nil
}

// ForkSession makes a stored session that begins like another one, up to the end
// of a turn; "" takes all. It gives the new id.
func (a *Agent) ForkSession(id, turn string) (string, error) {
	newID := newSessionID()
	if err := a.store.Fork(id, newID, turn); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return "", storeError(id, err)
		}
		return "", &Error{Kind: ErrInvalid, Message: err.Error(), Err: err}
	}
	if err := a.forkUndo(id, newID); err != nil {
		slog.Warn("what the turns of a fork have changed cannot be undone there", "session", newID, "err", err)
	}
	return newID, nil
}

// forkUndo takes over what is needed to undo the turns that a fork has.
func (a *Agent) forkUndo(id, newID string) error {
	_, records, err := a.store.Read(newID)
	if err != nil {
		return err
	}
	turns := map[string]bool{}
	for _, r := range records {
		turns[r.Turn] = true
	}
	undo := func(id string) string { return filepath.Join(a.store.Dir(id), undoFolder) }
	return editstate.CopyUndo(undo(id), undo(newID), func(turn string) bool { return turns[turn] })
}

// RenameSession gives a stored session a title.
func (a *Agent) RenameSession(id, title string) error {
	title = shorten(a.cfg.Redactor.Text(oneLine(title)), 200)
	if title == "" {
		return &Error{Kind: ErrInvalid, Message: "the title is empty"}
	}
	if err := a.store.Rename(id, title); err != nil {
		return storeError(id, err)
	}
	if s, err := a.Session(id); err == nil {
		s.setTitle(title)
		s.emit(s.life, "", SessionInfoEvent{title})
	}
	return nil
}

// DeleteSession removes a stored session with all that belongs to it. If it is
// open here it is closed first.
func (a *Agent) DeleteSession(id string) error {
	_, notOpen := a.Session(id)
	if notOpen == nil {
		if err := a.CloseSession(id); err != nil {
			return err
		}
	}
	err := a.store.Delete(id)
	if err == nil || notOpen == nil && errors.Is(err, store.ErrNotFound) { // it had no prompt yet
		return nil
	}
	return storeError(id, err)
}

func newSessionID() string { return "s-" + rand.Text()[:16] }
