package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentd-dev/agentd/tools"
)

// attention takes the person's attention: one question of a session and its
// subagents is open at a time. The returned function gives it back.
func (s *Session) attention(ctx context.Context) (release func(), err error) {
	select {
	case s.asking <- struct{}{}:
		return func() { <-s.asking }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// waiting tells the client that the session waits for the person, until the
// returned function is called. What asks may work in the background, beside no
// turn or another one.
func (s *Session) waiting() (over func()) {
	s.emit(s.life, s.turnID(), StateEvent{State: Waiting})
	return func() {
		id, now := s.turnID(), Running
		if id == "" {
			now = Idle
		}
		s.emit(s.life, id, StateEvent{State: now})
	}
}

// Confirm asks the person about a call. While it waited for its turn an
// earlier answer may have covered it; then nobody is asked.
func (s *Session) Confirm(ctx context.Context, r *tools.Request) (tools.Answer, error) {
	if err := await(ctx); err != nil {
		return tools.Answer{}, err
	}
	top := s.top()
	release, err := top.attention(ctx)
	if err != nil {
		return tools.Answer{}, err
	}
	defer release()
	top.mu.Lock()
	over := top.turn != nil && top.turn.aborted
	top.mu.Unlock()
	if over {
		return tools.Answer{}, errors.New("the user has ended the turn")
	}
	switch v := s.Judge(r); v.Ruling {
	case tools.Run:
		return tools.Answer{Decision: tools.Allow, ByPolicy: true}, nil
	case tools.Deny:
		return tools.Answer{}, fmt.Errorf("%s", v.Reason)
	}
	req := &ConfirmRequest{
		ConfirmID: "confirm-" + r.Call.ID, SessionID: s.ID, TurnID: top.turnID(), ToolCallID: r.Call.ID, Agent: s.label,
		Tool: r.Call.Tool.Name, Level: r.Level, Title: r.Plan.Title, Reason: r.Plan.Reason,
		Choices: []tools.Decision{tools.Allow, tools.Reject, tools.Abort},
		Grants:  r.Plan.Grants, Changes: r.Plan.Changes, Command: r.Plan.Command,
	}
	if len(r.Plan.Grants) > 0 {
		req.Choices = []tools.Decision{tools.Allow, tools.AllowSession, tools.Reject, tools.Abort}
	}
	if req.Changes == nil && req.Command == nil {
		req.Input = r.Call.Args
	}
	defer top.waiting()()
	a, err := s.client.Confirm(ctx, req)
	if ctx.Err() != nil {
		return tools.Answer{}, ctx.Err()
	}
	if err != nil {
		return tools.Answer{}, err
	}
	// An answer that counts as a rejection grants nothing.
	if err := r.Check(a); err != nil {
		return tools.Answer{}, err
	}
	if a.Decision == tools.Abort {
		top.mu.Lock()
		if top.turn != nil {
			top.turn.aborted = true // for the calls beside this one
		}
		top.mu.Unlock()
	}
	if a.Decision == tools.AllowSession {
		if g, err := r.Plan.Granted(a.GrantID); err == nil {
			top.mu.Lock()
			top.grants[g.ID] = true
			top.mu.Unlock()
		}
	}
	return a, nil
}

// askUser asks the person the model's questions.
func (s *Session) askUser(ctx context.Context, callID string, questions []tools.Question) (tools.AskAnswer, error) {
	if err := await(ctx); err != nil {
		return tools.AskAnswer{}, err
	}
	release, err := s.attention(ctx)
	if err != nil {
		return tools.AskAnswer{}, err
	}
	defer release()
	defer s.waiting()()
	a, err := s.client.Ask(ctx, &AskRequest{AskID: "ask-" + callID, SessionID: s.ID, TurnID: s.turnID(), ToolCallID: callID, Questions: questions})
	if ctx.Err() != nil {
		return tools.AskAnswer{}, ctx.Err()
	}
	return a, err
}
