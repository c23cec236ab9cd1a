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
	Cost       *float64     `json:"cost,omitempty"` // by the user's price table
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
	prompt  *model.Message
	before  []*model.Message // the history before the prompt, once that was summarised
	cramped bool             // summarising does not help, or fails
	most    int              // requests
	guard   loopGuard
	steers  []steer // for the model, when it is its turn; s.mu guards it
	steered int     // how many it has had
	usage   model.Usage
}

// emit tells the client of an event of the turn, also while it is being
// cancelled: the client is owed the end of all that it has seen begin.
func (t *turn) emit(e Event) { t.s.emit(t.s.life, t.id, e) }

func (t *turn) add(m *model.Message) { t.s.add(t.id, m) }

// add adds a message to the history, and to the session's file before anything
// comes of it.
func (s *Session) add(turn string, m *model.Message) {
	s.journal.message(turn, m)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = append(s.history, m)
}

// run is the loop: a request, its tool calls, their results, until an end.
func (t *turn) run(prompt *model.Message) (res *PromptResult) {
	res = &PromptResult{TurnID: t.id}
	defer func() {
		if p := recover(); p != nil {
			slog.Error("turn panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			res.StopReason, res.Error = StopError, &TurnError{Kind: "internal", Message: "an internal error ended the turn; the log has the details"}
			t.s.repairHistory(t.id)
		}
		if t.usage != (model.Usage{}) {
			res.Usage, res.Cost = t.usageOf(), t.s.costOf(t.id)
		}
	}()
	t.addNews(prompt)
	t.prompt = prompt
	t.add(prompt)
	cuts := 0
	for n := 0; ; n++ {
		if n == t.most {
			t.emit(NoticeEvent{Level: "warning", Kind: "max_requests", Message: fmt.Sprintf("stopped after %d requests to the model; say \"go on\" to continue", n)})
			res.StopReason = StopMaxRequests
			return res
		}
		fin, err := t.ask()
		if err != nil {
			t.fail(res, err)
			return res
		}
		t.add(fin.Message)
		calls := fin.Message.ToolCalls
		if len(calls) == 0 {
			if fin.Reason == model.FinishStop && t.takeSteers() {
				continue
			}
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
		t.takeSteers()
	}
}

// usageOf is what the turn has used, with its subagents.
func (t *turn) usageOf() *model.Usage {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	u := t.usage
	if t.s.account.turn == t.id {
		u = t.s.account.last
	}
	return &u
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

// newsHead begins what is told to the model beside a message.
const newsHead = "\n["

// addNews tells the model, once, which files it had read have changed and what
// else has happened. It is added to a message that has not been sent yet, so
// that the part of the history that the provider has cached stays as it is.
func (t *turn) addNews(m *model.Message) {
	if paths := t.s.files.Ledger().TakeStale(); len(paths) > 0 {
		m.Parts = append(m.Parts, model.Part{Text: newsHead + "Changed on disk or in the editor since you read it: " + strings.Join(paths, ", ") +
			". Read again before you edit.]"})
	}
	for _, text := range t.s.takeInstructions() {
		m.Parts = append(m.Parts, model.Part{Text: newsHead + text + "]"})
	}
	for _, n := range t.s.takeNotes() {
		m.Parts = append(m.Parts, model.Part{Text: newsHead + n + "]"})
	}
}

// repairHistory gives every call without a result one, so that the next
// request is valid whatever went wrong.
func (s *Session) repairHistory(turn string) {
	s.mu.Lock()
	history := s.history
	s.mu.Unlock()
	answered := map[string]bool{}
	var open []model.ToolCall
	for _, m := range history {
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
			s.add(turn, toolMessage(c.ID, "Interrupted; it is not known what was done."))
		}
	}
}

func toolMessage(id, text string) *model.Message {
	return &model.Message{Role: model.RoleTool, ToolCallID: id, Parts: []model.Part{{Text: text}}}
}
