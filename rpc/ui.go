package rpc

import (
	"context"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

var _ agent.Client = (*Server)(nil)

// Emit implements agent.Client.
func (s *Server) Emit(ctx context.Context, u agent.Update) {
	if d, ok := deltaOf(&u); ok {
		s.conn.Put(ctx, d)
		return
	}
	s.conn.Notify(ctx, "session/update", u)
}

// Confirm implements agent.Client.
func (s *Server) Confirm(ctx context.Context, r *agent.ConfirmRequest) (tools.Answer, error) {
	var a tools.Answer
	err := s.conn.Call(ctx, "ui/confirm", r, &a)
	return a, err
}

// Ask implements agent.Client.
func (s *Server) Ask(ctx context.Context, r *agent.AskRequest) (tools.AskAnswer, error) {
	var a tools.AskAnswer
	err := s.conn.Call(ctx, "ui/askUser", r, &a)
	return a, err
}

// ApplyBuffer implements agent.Client.
func (s *Server) ApplyBuffer(ctx context.Context, e editstate.BufferEdit) (editstate.BufferResult, error) {
	var r editstate.BufferResult
	err := s.conn.Call(ctx, "buffer/apply", e, &r)
	return r, err
}

// Can implements agent.Client.
func (s *Server) Can() agent.Capabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.can
}
