package rpc

import (
	"context"
	"encoding/json"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

var _ agent.Client = (*Server)(nil)

// Emit implements agent.Client.
func (s *Server) Emit(ctx context.Context, u agent.Update) {
	if d, ok := deltaOf(&u); ok {
		s.conn.stream.out.putDelta(ctx, d)
		return
	}
	s.conn.notify(ctx, "session/update", wireUpdate{u.SessionID, u.TurnID, u.Seq, typedEvent{u.Update}})
}

// wireUpdate is an agent.Update whose event says its type.
type wireUpdate struct {
	SessionID string     `json:"sessionId"`
	TurnID    string     `json:"turnId,omitempty"`
	Seq       int64      `json:"seq"`
	Update    typedEvent `json:"update"`
}

type typedEvent struct{ event agent.Event }

// MarshalJSON puts the type before the event's own fields.
func (t typedEvent) MarshalJSON() ([]byte, error) {
	body, err := json.Marshal(t.event)
	if err != nil {
		return nil, err
	}
	b := append([]byte(`{"type":`), appendString(nil, t.event.EventType())...)
	if len(body) > 2 {
		b = append(b, ',')
	}
	return append(b, body[1:]...), nil
}

// Confirm implements agent.Client.
func (s *Server) Confirm(ctx context.Context, r *agent.ConfirmRequest) (tools.Answer, error) {
	var a tools.Answer
	err := s.conn.call(ctx, "ui/confirm", r, &a)
	return a, err
}

// Ask implements agent.Client.
func (s *Server) Ask(ctx context.Context, r *agent.AskRequest) (tools.AskAnswer, error) {
	var a tools.AskAnswer
	err := s.conn.call(ctx, "ui/askUser", r, &a)
	return a, err
}

// ApplyBuffer implements agent.Client.
func (s *Server) ApplyBuffer(ctx context.Context, e editstate.BufferEdit) (editstate.BufferResult, error) {
	var r editstate.BufferResult
	err := s.conn.call(ctx, "buffer/apply", e, &r)
	return r, err
}

// Can implements agent.Client.
func (s *Server) Can() agent.Capabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.can
}
