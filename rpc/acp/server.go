// Package acp serves the Agent Client Protocol, version 1, on the agent that the
// native protocol serves, too: requests become calls of package agent, its
// updates become ACP's. The chapter "ACP" of protocol.md says what becomes what.
//
// The official JSON schema is the measure of what is sent; tests hold every
// message against it.
package acp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"sync"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// Config describes a server.
type Config struct {
	In      io.Reader
	Out     io.Writer
	Agent   *agent.Agent
	Name    string
	Version string
	// Keys finds and forgets the key of the model's server.
	Keys Keys
	// SecretNames are environment variables that commands in the editor's
	// terminals are not to have.
	SecretNames []string
}

// Keys is where the key of the model's server comes from.
type Keys interface {
	// Refresh looks again at the environment and the config file, which the
	// person may have changed; an error says what is missing.
	Refresh() error
	// Forget makes new sessions need a key until Refresh finds one.
	Forget()
}

// server serves one client.
type server struct {
	cfg  Config
	conn *wire.Conn

	mu       sync.Mutex
	ready    bool
	out      bool // the client has logged out
	client   clientCapabilities
	sessions map[string]*session
}

// Serve serves a client until its input ends, it takes no more output, or ctx
// ends. The result is the exit code.
func Serve(ctx context.Context, cfg Config) int {
	s := &server{cfg: cfg, sessions: map[string]*session{}}
	c := wire.NewConn(cfg.In, cfg.Out, wire.Lines, wire.Dialect{CancelMethod: "$/cancel_request", CancelID: "requestId", ErrorOf: errorOf, NoBatches: true}, s,
		func(c *wire.Conn) { s.conn = c })
	return c.Run(ctx, nil, cfg.Agent.Close)
}

type method = wire.Method[*server]

// methods maps names to handlers: every method of the protocol that an agent
// answers. A test compares it with the official schema.
var methods = map[string]method{
	"initialize":                wire.Quick(initialize),
	"authenticate":              wire.Slow(authenticate),
	"logout":                    wire.Quick(logout),
	"session/new":               wire.Slow(sessionNew),
	"session/load":              wire.Slow(sessionLoad),
	"session/resume":            wire.Slow(sessionResume),
	"session/list":              wire.Slow(sessionList),
	"session/delete":            wire.Slow(sessionDelete),
	"session/close":             wire.Slow(sessionClose),
	"session/prompt":            sessionPrompt,
	"session/cancel":            wire.Quick(sessionCancel),
	"session/set_mode":          wire.Quick(setMode),
	"session/set_config_option": wire.Quick(setConfigOption),
}

// Begin implements wire.Handler.
func (s *server) Begin(ctx context.Context, m *wire.Message) (any, func() (any, error), error) {
	h := methods[m.Method]
	if h == nil {
		if m.IsNotification() {
			slog.Debug("unknown notification", "method", m.Method)
			return nil, nil, nil
		}
		return nil, nil, wire.Errorf(wire.CodeMethodNotFound, "method_not_found", "there is no method %q", m.Method)
	}
	s.mu.Lock()
	ready := s.ready
	s.mu.Unlock()
	if !ready && m.Method != "initialize" {
		return nil, nil, wire.Errorf(wire.CodeInvalidRequest, "not_initialized", "initialize comes first")
	}
	return h(s, ctx, m.Params)
}

// Error codes of ACP's own; the others are JSON-RPC's and the native protocol's.
const (
	codeAuthRequired     = -32000
	codeResourceNotFound = -32002
)

// errorOf gives any error its code.
func errorOf(err error) *wire.Error {
	e := *rpc.ErrorOf(err)
	switch e.Code {
	case rpc.CodeAuthRequired:
		e.Code = codeAuthRequired
	case rpc.CodeSessionNotFound:
		e.Code = codeResourceNotFound
	}
	return &e
}

// session finds an open session.
func (s *server) session(id string) (*session, error) {
	if err := wire.Required("sessionId", id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sess := s.sessions[id]; sess != nil {
		return sess, nil
	}
	_, err := s.cfg.Agent.Session(id) // says why
	if err == nil {
		err = &agent.Error{Kind: agent.ErrBusy, Message: "the session is being opened"}
	}
	return nil, err
}

// capabilities are those of the client.
func (s *server) capabilities() clientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// empty is a message without content.
type empty struct{}

// extensions are the fields of an object's _meta that are agentd's.
type extensions[T any] struct {
	Agentd *T `json:"agentd,omitempty"`
}

// extensionsOf reads what is agentd's in a _meta; nil if there is nothing.
func extensionsOf[T any](meta json.RawMessage) (*T, error) {
	if len(meta) == 0 || string(meta) == "null" {
		return nil, nil
	}
	var e extensions[T]
	if err := wire.Decode(meta, &e); err != nil {
		return nil, err
	}
	return e.Agentd, nil
}
