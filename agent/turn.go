package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
)

// StopReason says why a turn ended. The first five are ACP's.
type StopReason string

// Stop reasons.
const (
	StopEndTurn     StopReason = "end_turn"
	StopMaxTokens   StopReason = "max_tokens"
	StopMaxRequests StopReason = "max_turn_requests"
	StopRefusal     StopReason = "refusal"
	StopCancelled   StopReason = "cancelled"
	StopLoop        StopReason = "loop_detected"
	StopError       StopReason = "error"
)

// PromptResult is the end of a turn.
type PromptResult struct {
	TurnID     string       `json:"turnId"`
	StopReason StopReason   `json:"stopReason"`
	Usage      *model.Usage `json:"usage,omitempty"`
	Error      *TurnError   `json:"error,omitempty"`
}

// TurnError says what ended a turn before its time.
type TurnError struct {
	Kind      string `json:"kind"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// turn is one prompt and all that follows from it.
type turn struct {
	s      *Session
	id     string
	ctx    context.Context
	cancel context.CancelFunc
	detach func() bool // from the life of the session
	done   chan struct{}
	// aborted is set when the person has ended the turn; s.mu guards it.
	aborted bool
	model   model.Model
	guard   loopGuard
	usage   model.Usage
}

// Turn is a turn that has begun: it holds the session, can be cancelled, and
// must be run.
type Turn struct {
	t      *turn
	blocks []ContentBlock
}

// Begin begins a turn, so that whatever the client sends next meets it. It
// does not wait: a session that is busy is an error.
func (s *Session) Begin(ctx context.Context, blocks []ContentBlock) (*Turn, error) {
	t, err := s.startTurn(ctx)
	if err != nil {
		return nil, err
	}
	return &Turn{t, blocks}, nil
}

// Run runs the turn to its end. A turn that was cancelled, or that the model
// failed, is a result; an error means that the prompt was no prompt.
func (tu *Turn) Run() (*PromptResult, error) {
	t, s, blocks := tu.t, tu.t.s, tu.blocks
	defer t.finish()
	if res, err, done := s.command(t, blocks); done {
		return res, err
	}
	m, err := s.userMessage(t.ctx, blocks)
	if err != nil {
		return nil, err
	}
	t.emit(StateEvent{Running})
	res := t.run(m)
	t.emit(StateEvent{Idle})
	return res, nil
}

func (s *Session) startTurn(ctx context.Context) (*turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, &Error{Kind: ErrClosed, Message: "the session is closed"}
	case s.turn != nil:
		return nil, &Error{Kind: ErrBusy, Message: "the session is busy with turn " + s.turn.id + "; wait for its end or cancel it"}
	}
	s.turns++
	t := &turn{s: s, id: fmt.Sprintf("t%d", s.turns), done: make(chan struct{}), model: s.model}
	t.ctx, t.cancel = context.WithCancel(ctx)
	s.undo.Begin(t.id)
	t.detach = context.AfterFunc(s.life, t.cancel)
	s.turn = t
	return t, nil
}

// finish lets the next turn begin. It runs before the reply of the prompt is
// written, so that a client that has the reply may prompt again at once.
func (t *turn) finish() {
	t.s.mu.Lock()
	t.s.turn = nil
	t.s.mu.Unlock()
	t.detach()
	t.cancel()
	close(t.done)
}

// Cancel cancels the running turn; turnID, if not "", must be its id. It
// reports whether there was something to cancel, and does not wait.
func (s *Session) Cancel(turnID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil || turnID != "" && turnID != s.turn.id {
		return false
	}
	s.turn.cancel()
	return true
}

// emit tells the client of an event of the turn, also while it is being
// cancelled: the client is owed the end of all that it has seen begin.
func (t *turn) emit(e Event) { t.s.emit(t.s.life, t.id, e) }

func (t *turn) add(m *model.Message) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.history = append(t.s.history, m)
}

// run is the loop: a request, its tool calls, their results, until an end.
func (t *turn) run(prompt *model.Message) (res *PromptResult) {
	res = &PromptResult{TurnID: t.id}
	defer func() {
		if p := recover(); p != nil {
			slog.Error("turn panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			res.StopReason, res.Error = StopError, &TurnError{Kind: "internal", Message: "an internal error ended the turn; the log has the details"}
			t.s.repairHistory()
		}
		if t.usage != (model.Usage{}) {
			res.Usage = &t.usage
		}
	}()
	t.addNews(prompt)
	t.add(prompt)
	cuts := 0
	for n := 0; ; n++ {
		if n == t.s.agent.cfg.MaxRequests {
			t.emit(NoticeEvent{Level: "warning", Kind: "max_requests", Message: fmt.Sprintf("stopped after %d requests to the model; say \"go on\" to continue", n)})
			res.StopReason = StopMaxRequests
			return res
		}
		fin, err := t.request()
		if err != nil {
			t.fail(res, err)
			return res
		}
		t.add(fin.Message)
		calls := fin.Message.ToolCalls
		if len(calls) == 0 {
			res.StopReason = t.stopped(fin)
			return res
		}
		var stop StopReason
		if fin.Reason == model.FinishLength {
			cuts++
			stop = t.refuseCut(calls, cuts)
		} else {
			cuts = 0
			stop = t.runCalls(calls)
		}
		if t.ctx.Err() != nil {
			stop = StopCancelled
		}
		if stop != "" {
			res.StopReason = stop
			return res
		}
	}
}

// stopped says why a reply without calls ended.
func (t *turn) stopped(fin *model.Finish) StopReason {
	switch fin.Reason {
	case model.FinishLength:
		t.emit(NoticeEvent{Level: "warning", Kind: "max_tokens", Message: "the model's answer was cut off at its length limit"})
		return StopMaxTokens
	case model.FinishFilter:
		t.emit(NoticeEvent{Level: "warning", Kind: "refusal", Message: "the provider's content filter stopped the answer"})
		return StopRefusal
	case model.FinishOther:
		t.emit(NoticeEvent{Level: "warning", Kind: "finish_reason", Message: fmt.Sprintf("the model stopped for a reason that is not known: %q", fin.RawReason)})
	case model.FinishStop:
		if strings.TrimSpace(fin.Message.Text()) == "" {
			t.emit(NoticeEvent{Level: "warning", Kind: "empty_reply", Message: "the model gave an empty answer"})
		}
	}
	return StopEndTurn
}

// fail turns an error of the model into the turn's end.
func (t *turn) fail(res *PromptResult, err error) {
	if t.ctx.Err() != nil {
		res.StopReason = StopCancelled
		return
	}
	res.StopReason = StopError
	res.Error = &TurnError{Kind: "internal", Message: t.s.agent.cfg.Redactor.Text(err.Error())}
	var me *model.Error
	if errors.As(err, &me) {
		res.Error.Kind, res.Error.Retryable = string(me.Kind), me.Retryable()
	}
	t.emit(NoticeEvent{Level: "error", Kind: res.Error.Kind, Message: res.Error.Message})
}

// addNews tells the model, once, which files it had read have changed and what
// else has happened. It is added to a message that has not been sent yet, so
// that the part of the history that the provider has cached stays as it is.
func (t *turn) addNews(m *model.Message) {
	if paths := t.s.files.Ledger().TakeStale(); len(paths) > 0 {
		m.Parts = append(m.Parts, model.Part{Text: "\n[Changed on disk or in the editor since you read it: " + strings.Join(paths, ", ") +
			". Read again before you edit.]"})
	}
	for _, n := range t.s.takeNotes() {
		m.Parts = append(m.Parts, model.Part{Text: "\n[" + n + "]"})
	}
}

// repairHistory gives every call without a result one, so that the next
// request is valid whatever went wrong.
func (s *Session) repairHistory() {
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := map[string]bool{}
	var open []model.ToolCall
	for _, m := range s.history {
		if len(m.ToolCalls) > 0 {
			open = m.ToolCalls
			clear(answered)
		}
		if m.Role == model.RoleTool {
			answered[m.ToolCallID] = true
		}
	}
	for _, c := range open {
		if !answered[c.ID] {
			s.history = append(s.history, toolMessage(c.ID, "Interrupted; it is not known what was done."))
		}
	}
}

func toolMessage(id, text string) *model.Message {
	return &model.Message{Role: model.RoleTool, ToolCallID: id, Parts: []model.Part{{Text: text}}}
}
