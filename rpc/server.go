// Package rpc is the native protocol: its messages, and the methods, which do
// little more than call package agent. Package wire below it is the connection.
// protocol.md describes what it speaks.
package rpc

import (
	"context"
	"io"
	"log/slog"
	"sync"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// The framings; see package wire.
const (
	Headers = wire.Headers
	Lines   = wire.Lines
)

// Framing says how messages are told apart on the wire.
type Framing = wire.Framing

// MaxMessageBytes bounds a message.
const MaxMessageBytes = wire.MaxMessageBytes

// Config describes a server.
type Config struct {
	In      io.Reader
	Out     io.Writer
	Framing Framing
	Agent   *agent.Agent
	Name    string
	Version string
	// Log, if set, is told where to send log lines once the client is there.
	Log *LogSink
}

// Server serves one client.
type Server struct {
	cfg  Config
	conn *wire.Conn
	end  chan int // exit codes; the first counts

	mu    sync.Mutex
	state serverState
	can   agent.Capabilities
}

type serverState int

const (
	stateNew serverState = iota
	stateReady
	stateShutDown
)

// Serve serves a client until it says exit, its input ends, it takes no more
// output, or its process is gone. The result is the exit code, as in LSP: 1
// for an exit without a shutdown, else 0.
func Serve(ctx context.Context, cfg Config) int {
	s := &Server{cfg: cfg, end: make(chan int, 8)}
	c := wire.NewConn(cfg.In, cfg.Out, cfg.Framing, wire.Dialect{CancelMethod: "$/cancelRequest", CancelID: "id", ErrorOf: ErrorOf}, s,
		func(c *wire.Conn) { s.conn = c })
	return c.Run(ctx, s.end, func() {
		s.cfg.Log.detach()
		s.cfg.Agent.Close()
	})
}

type method = wire.Method[*Server]

func quick[P, R any](f func(s *Server, p *P) (R, error)) method { return wire.Quick(f) }

func slow[P, R any](f func(s *Server, ctx context.Context, p *P) (R, error)) method {
	return wire.Slow(f)
}

func required(name, value string) error { return wire.Required(name, value) }

// methods maps names to handlers. A test compares it with Methods.
var methods = map[string]method{
	"initialize":        quick(initialize),
	"initialized":       quick(initialized),
	"shutdown":          slow(shutdown),
	"exit":              quick(exit),
	"session/new":       slow(sessionNew),
	"session/prompt":    sessionPrompt,
	"session/load":      slow(sessionLoad),
	"session/list":      slow(sessionList),
	"session/fork":      slow(sessionFork),
	"session/rename":    slow(sessionRename),
	"session/delete":    slow(sessionDelete),
	"session/steer":     slow(sessionSteer),
	"session/unsteer":   quick(sessionUnsteer),
	"session/cancel":    quick(sessionCancel),
	"session/configure": quick(sessionConfigure),
	"session/undo":      slow(sessionUndo),
	"session/close":     slow(sessionClose),
	"tools/list":        quick(toolsList),
	"tools/configure":   quick(toolsConfigure),
	"mcp/list":          quick(mcpList),
	"mcp/restart":       quick(mcpRestart),
	"buffer/set":        quick(bufferSet),
	"buffer/clear":      quick(bufferClear),
	"debug/ledger":      quick(debugLedger),
	"debug/breaker":     quick(debugBreaker),
}

// Begin implements wire.Handler.
func (s *Server) Begin(ctx context.Context, m *wire.Message) (any, func() (any, error), error) {
	if m.Method == "shutdown" && !m.IsNotification() {
		// From here on only exit is served, also if it is right behind.
		defer func() {
			s.mu.Lock()
			if s.state == stateReady {
				s.state = stateShutDown
			}
			s.mu.Unlock()
		}()
	}
	h := methods[m.Method]
	if h == nil {
		if m.IsNotification() {
			slog.Debug("unknown notification", "method", m.Method)
			return nil, nil, nil
		}
		return nil, nil, errorf(CodeMethodNotFound, "method_not_found", "there is no method %q", m.Method)
	}
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	switch {
	case m.Method == "exit" || m.Method == "initialize":
	case state == stateNew:
		return nil, nil, errorf(CodeNotInitialized, "not_initialized", "initialize comes first")
	case state == stateShutDown:
		return nil, nil, errorf(CodeInvalidRequest, "invalid_request", "the server has been shut down")
	}
	return h(s, ctx, m.Params)
}
