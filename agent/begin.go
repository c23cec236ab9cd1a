package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentd-dev/agentd/agent/model"
)

// Turn is a turn that has begun, or waits for those before it: it can be
// cancelled, and must be run.
type Turn struct {
	s      *Session
	ctx    context.Context
	blocks []ContentBlock
	ready  chan *turn // gives the turn when it is its turn; nil when it was dropped
}

// maxQueued bounds the prompts of a session that wait.
const maxQueued = 32

// Begin begins a turn, so that whatever the client sends next meets it. It does
// not wait. If the session is busy the prompt waits for its turn if it may
// (queue); otherwise that is an error.
func (s *Session) Begin(ctx context.Context, blocks []ContentBlock, queue bool) (*Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tu := &Turn{s, ctx, blocks, make(chan *turn, 1)}
	switch {
	case s.closed:
		return nil, &Error{Kind: ErrClosed, Message: "the session is closed"}
	case s.turn == nil:
		tu.ready <- s.startTurn(ctx)
	case !queue:
		return nil, &Error{Kind: ErrBusy, Message: "the session is busy with turn " + s.turn.id + "; wait for its end, cancel it, or queue the prompt"}
	case len(s.queue) >= maxQueued:
		return nil, &Error{Kind: ErrTooMany, Message: fmt.Sprintf("%d prompts wait already", len(s.queue))}
	default:
		s.queue = append(s.queue, tu)
	}
	return tu, nil
}

// wait waits until the turn may run; nil if it may not any more.
func (tu *Turn) wait() *turn {
	select {
	case t := <-tu.ready:
		return t
	case <-tu.ctx.Done():
	}
	tu.s.mu.Lock()
	defer tu.s.mu.Unlock()
	tu.s.queue = slices.DeleteFunc(tu.s.queue, func(q *Turn) bool { return q == tu })
	select {
	case t := <-tu.ready: // it was its turn at that very moment
		return t
	default:
		return nil
	}
}

// Run runs the turn to its end, after those before it. A turn that was cancelled,
// or that the model failed, is a result; an error means that the prompt was no
// prompt.
func (tu *Turn) Run() (*PromptResult, error) {
	t, s, blocks := tu.wait(), tu.s, tu.blocks
	if t == nil {
		return &PromptResult{StopReason: StopCancelled}, nil
	}
	defer t.finish()
	t.refreshCommands()
	if res, err, done := s.command(t, blocks); done {
		return res, err
	}
	t.beginServers()
	expanded, err := s.expandPrompt(t.ctx, s.expand(blocks))
	if err != nil {
		return nil, err
	}
	m, err := s.userMessage(t.ctx, expanded)
	if err != nil {
		return nil, err
	}
	s.keep(blocks)
	t.emit(StateEvent{State: Running})
	t.emit(UserMessage{t.id + "-user", shownContent(blocks)})
	res := t.run(m)
	t.emit(StateEvent{State: Idle, StopReason: res.StopReason, Error: res.Error})
	s.journal.end(t.id, res.StopReason)
	return res, nil
}

// startTurn makes the session's next turn. s.mu is held.
func (s *Session) startTurn(ctx context.Context) *turn {
	s.turns++
	t := &turn{s: s, id: fmt.Sprintf("t%d", s.turns), done: make(chan struct{}), most: s.agent.cfg.MaxRequests}
	t.ctx, t.cancel = context.WithCancel(ctx)
	if s.parent == nil {
		s.undo.Begin(t.id)
	}
	t.detach = context.AfterFunc(s.life, t.cancel)
	s.turn = t
	return t
}

// finish lets the next turn begin. It runs before the reply of the prompt is
// written, so that a client that has the reply may prompt again at once.
func (t *turn) finish() {
	s := t.s
	s.mu.Lock()
	for len(t.steers) > 0 { // more may come meanwhile
		steers := t.steers
		t.steers = nil
		s.mu.Unlock()
		t.tellDropped(steers)
		s.mu.Lock()
	}
	s.turn = nil
	if len(s.queue) > 0 && !s.closed {
		next := s.queue[0]
		s.queue = s.queue[1:]
		next.ready <- s.startTurn(next.ctx)
	}
	s.mu.Unlock()
	t.detach()
	t.cancel()
	close(t.done)
}

// Cancel cancels the running turn; turnID, if not "", must be its id. Without an
// id the prompts that wait are cancelled, too, and what the team is doing. It reports whether there was
// something to cancel, and does not wait.
func (s *Session) Cancel(turnID string) bool {
	members := turnID == "" && s.team != nil && s.team.cancelWork()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil && members {
		return true
	}
	if s.turn == nil || turnID != "" && turnID != s.turn.id {
		return false
	}
	if turnID == "" {
		s.dropQueue()
	}
	s.turn.cancel()
	return true
}

// dropQueue ends the prompts that wait. s.mu is held.
func (s *Session) dropQueue() {
	for _, q := range s.queue {
		q.ready <- nil
	}
	s.queue = nil
}

// Steer puts a message into the running turn: the model gets it after the tool
// calls that are under way, or after its answer. id is the client's, for Unsteer.
func (s *Session) Steer(ctx context.Context, blocks []ContentBlock, id string) error {
	m, err := s.userMessage(ctx, blocks)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.turn == nil:
		return &Error{Kind: ErrInvalid, Message: "no turn is running; send a prompt"}
	case len(s.turn.steers) >= maxQueued:
		return &Error{Kind: ErrTooMany, Message: "too many messages wait already"}
	}
	s.turn.steers = append(s.turn.steers, steer{m, blocks, id})
	return nil
}

// Unsteer takes back a message that the model does not have yet, and reports
// whether there was one.
func (s *Session) Unsteer(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil {
		return false
	}
	left := slices.DeleteFunc(slices.Clone(s.turn.steers), func(st steer) bool { return st.id == id })
	found := len(left) < len(s.turn.steers)
	s.turn.steers = left
	return found
}

// steer is a message for a running turn.
type steer struct {
	message *model.Message
	blocks  []ContentBlock
	id      string // the client's
}

// takeSteers gives the model the messages that the person has sent meanwhile, and
// reports whether there were any.
func (t *turn) takeSteers() bool {
	t.s.mu.Lock()
	steers := t.steers
	t.steers = nil
	t.s.mu.Unlock()
	for _, st := range steers {
		t.steered++
		t.emit(UserMessage{fmt.Sprintf("%s-user%d", t.id, t.steered), shownContent(st.blocks)})
		t.add(st.message)
	}
	return len(steers) > 0
}

// tellDropped says of messages that came too late that they were not delivered.
func (t *turn) tellDropped(steers []steer) {
	for _, st := range steers {
		t.emit(NoticeEvent{Level: "warning", Kind: "not_delivered", Message: "the turn ended before the model got this: " + shorten(titleOf(st.blocks), 200)})
	}
}
