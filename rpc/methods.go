package rpc

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/rpc/wire"
)

func sessionNew(s *Server, _ context.Context, p *SessionNewParams) (*SessionNewResult, error) {
	if err := required("cwd", p.Cwd); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(p.Cwd) {
		return nil, invalidParams("params.cwd must be an absolute path, not %q", p.Cwd)
	}
	servers, err := MCPConfigs(p.MCPServers)
	if err != nil {
		return nil, err
	}
	a := s.cfg.Agent
	sess, err := a.NewSession(agent.SessionConfig{Cwd: p.Cwd, Roots: p.Roots, Model: p.Model, Mode: p.Mode, Enable: p.Enable, Trusted: p.Trusted, Servers: servers}, s)
	if err != nil {
		return nil, err
	}
	return opened(a, sess), nil
}

func opened(a *agent.Agent, sess *agent.Session) *SessionNewResult {
	return &SessionNewResult{SessionID: sess.ID, Title: sess.Title(), Model: sess.ModelName(), Models: a.Models(), Mode: sess.Mode(), Modes: agent.Modes(), Tools: sess.Tools(), Commands: sess.Commands()}
}

// sessionPrompt begins the turn in the order of arrival, so that a cancel that
// follows finds it, and runs it beside everything else.
func sessionPrompt(s *Server, ctx context.Context, params json.RawMessage) (any, func() (any, error), error) {
	p, err := wire.DecodeParams[PromptParams](params)
	if err != nil {
		return nil, nil, err
	}
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, nil, err
	}
	turn, err := sess.Begin(ctx, p.Prompt, p.Queue)
	if err != nil {
		return nil, nil, err
	}
	return nil, func() (any, error) { return turn.Run() }, nil
}

func sessionCancel(s *Server, p *SessionCancelParams) (*SessionCancelResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	return &SessionCancelResult{Cancelled: sess.Cancel(p.TurnID)}, nil
}

func sessionConfigure(s *Server, p *SessionConfigureParams) (*SessionConfigureResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	if p.Model != "" {
		if err := sess.SetModel(p.Model); err != nil {
			return nil, err
		}
	}
	if p.Mode != "" {
		if err := sess.SetMode(string(p.Mode)); err != nil {
			return nil, err
		}
	}
	if p.Effort != "" {
		if err := sess.SetEffort(string(p.Effort)); err != nil {
			return nil, err
		}
	}
	return &SessionConfigureResult{Mode: sess.Mode(), Model: sess.ModelName(), Effort: sess.Effort()}, nil
}

func sessionUndo(s *Server, ctx context.Context, p *SessionUndoParams) (*editstate.Undone, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	return sess.Undo(ctx, p.TurnID)
}

func sessionClose(s *Server, _ context.Context, p *SessionParams) (Empty, error) {
	if err := required("sessionId", p.SessionID); err != nil {
		return Empty{}, err
	}
	return Empty{}, s.cfg.Agent.CloseSession(p.SessionID)
}

func toolsList(s *Server, p *ToolsListParams) (*ToolsResult, error) {
	if p.SessionID != "" {
		sess, err := s.session(p.SessionID)
		if err != nil {
			return nil, err
		}
		return &ToolsResult{sess.Tools()}, nil
	}
	r := &ToolsResult{}
	for _, t := range s.cfg.Agent.Registry().List() {
		r.Tools = append(r.Tools, agent.DescribeTool(t, t.OnByDefault()))
	}
	return r, nil
}

func toolsConfigure(s *Server, p *ToolsConfigureParams) (*ToolsResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	if err := sess.ConfigureTools(p.Enable, p.Disable); err != nil {
		return nil, err
	}
	return &ToolsResult{sess.Tools()}, nil
}

func bufferSet(s *Server, b *editstate.Buffer) (Empty, error) {
	return Empty{}, s.cfg.Agent.Host().SetBuffer(*b)
}

func bufferClear(s *Server, p *BufferClearParams) (Empty, error) {
	return Empty{}, s.cfg.Agent.Host().ClearBuffer(p.URI)
}

func debugLedger(s *Server, p *SessionParams) (*LedgerResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	return &LedgerResult{sess.Ledger()}, nil
}

func debugBreaker(s *Server, p *BreakerParams) (*BreakerResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	if p.Tool != "" {
		if err := sess.SetCircuit(p.Tool, p.Open); err != nil {
			return nil, err
		}
	}
	return &BreakerResult{sess.Circuits()}, nil
}

func (s *Server) session(id string) (*agent.Session, error) {
	if err := required("sessionId", id); err != nil {
		return nil, err
	}
	return s.cfg.Agent.Session(id)
}
