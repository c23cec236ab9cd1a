package rpc

import (
	"context"
	"log/slog"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
)

// initialize opens the connection. A client that asks for a newer protocol is
// answered with ours and decides itself.
func initialize(s *Server, p *InitializeParams) (*InitializeResult, error) {
	if p.ProtocolVersion < 1 {
		return nil, errorf(CodeVersionUnsupported, "version_unsupported", "params.protocolVersion is %d; this agentd speaks %d", p.ProtocolVersion, ProtocolVersion)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != stateNew {
		return nil, errorf(CodeInvalidRequest, "invalid_request", "initialize was called before")
	}
	s.state = stateReady
	s.can = agent.Capabilities{Confirm: p.Capabilities.Confirm != nil, AskUser: p.Capabilities.AskUser, Buffers: p.Capabilities.Buffers}
	slog.Info("initialize", "client", p.ClientInfo.Name, "version", p.ClientInfo.Version)
	if p.ProcessID != nil && *p.ProcessID > 0 {
		go s.watchParent(*p.ProcessID)
	}
	s.cfg.Log.attach(s.conn)
	return &InitializeResult{
		ProtocolVersion: ProtocolVersion,
		ServerInfo:      ClientInfo{Name: s.cfg.Name, Version: s.cfg.Version},
		Capabilities: ServerCapabilities{Modes: agent.Modes(), Commands: agent.Commands(),
			PromptTypes: []string{"text", "resource_link", "resource", "image"}},
		Limits: Limits{MaxMessageBytes: MaxMessageBytes, MaxBufferBytes: editstate.MaxBufferBytes},
	}, nil
}

// watchParent ends the daemon when the client's process is gone: its pipes may
// have been inherited by somebody who keeps them open.
func (s *Server) watchParent(pid int) {
	if err := waitProcess(pid); err != nil {
		slog.Warn("the client's process cannot be watched", "pid", pid, "err", err)
		return
	}
	slog.Warn("the client's process is gone", "pid", pid)
	s.stop(0)
}

func initialized(*Server, *Empty) (Empty, error) { return Empty{}, nil }

// shutdown ends all sessions; only exit may follow.
func shutdown(s *Server, _ context.Context, _ *Empty) (Empty, error) {
	s.mu.Lock()
	s.state = stateShutDown
	s.mu.Unlock()
	s.cfg.Agent.Close()
	return Empty{}, nil
}

func exit(s *Server, _ *Empty) (Empty, error) {
	s.mu.Lock()
	code := 1
	if s.state == stateShutDown {
		code = 0
	}
	s.mu.Unlock()
	s.stop(code)
	return Empty{}, nil
}

// stop ends Serve.
func (s *Server) stop(code int) {
	select {
	case s.end <- code:
	default:
	}
}
