package rpc

import (
	"context"
	"path/filepath"

	"github.com/agentd-dev/agentd/agent"
)

// How many stored sessions a page of the list has.
const (
	listDefault = 50
	listMost    = 500
)

func sessionLoad(s *Server, _ context.Context, p *SessionLoadParams) (*SessionNewResult, error) {
	if err := required("sessionId", p.SessionID); err != nil {
		return nil, err
	}
	if p.Cwd != "" && !filepath.IsAbs(p.Cwd) {
		return nil, invalidParams("params.cwd must be an absolute path, not %q", p.Cwd)
	}
	a := s.cfg.Agent
	servers, err := MCPConfigs(p.MCPServers)
	if err != nil {
		return nil, err
	}
	sess, err := a.LoadSession(p.SessionID, agent.SessionConfig{Cwd: p.Cwd, Roots: p.Roots, Model: p.Model, Mode: p.Mode, Enable: p.Enable, Trusted: p.Trusted, Servers: servers}, s)
	if err != nil {
		return nil, err
	}
	return opened(a, sess), nil
}

func sessionList(s *Server, _ context.Context, p *SessionListParams) (*SessionListResult, error) {
	limit := p.Limit
	switch {
	case limit == 0:
		limit = listDefault
	case limit < 0 || limit > listMost:
		return nil, invalidParams("params.limit must be between 1 and %d", listMost)
	}
	list, next, err := s.cfg.Agent.ListSessions(p.Cwd, p.Cursor, limit)
	if err != nil {
		return nil, err
	}
	return &SessionListResult{list, next}, nil
}

func sessionFork(s *Server, _ context.Context, p *SessionForkParams) (*SessionForkResult, error) {
	if err := required("sessionId", p.SessionID); err != nil {
		return nil, err
	}
	id, err := s.cfg.Agent.ForkSession(p.SessionID, p.TurnID)
	if err != nil {
		return nil, err
	}
	return &SessionForkResult{id}, nil
}

func sessionRename(s *Server, _ context.Context, p *SessionRenameParams) (Empty, error) {
	if err := required("sessionId", p.SessionID); err != nil {
		return Empty{}, err
	}
	return Empty{}, s.cfg.Agent.RenameSession(p.SessionID, p.Title)
}

func sessionDelete(s *Server, _ context.Context, p *SessionParams) (Empty, error) {
	if err := required("sessionId", p.SessionID); err != nil {
		return Empty{}, err
	}
	return Empty{}, s.cfg.Agent.DeleteSession(p.SessionID)
}

func sessionSteer(s *Server, ctx context.Context, p *SessionSteerParams) (Empty, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return Empty{}, err
	}
	return Empty{}, sess.Steer(ctx, p.Prompt, p.SteerID)
}

func sessionUnsteer(s *Server, p *SessionUnsteerParams) (UnsteerResult, error) {
	if err := required("steerId", p.SteerID); err != nil {
		return UnsteerResult{}, err
	}
	sess, err := s.session(p.SessionID)
	if err != nil {
		return UnsteerResult{}, err
	}
	return UnsteerResult{Withdrawn: sess.Unsteer(p.SteerID)}, nil
}
