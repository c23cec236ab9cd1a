// Package rpc is the wire: framing, the connection, the messages of the native
// protocol, and the methods, which do little more than call package agent.
// protocol.md describes what it speaks.
package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent"
)

// How long the end waits for what is still going on.
const (
	settleTime = 1200 * time.Millisecond
	flushTime  = 500 * time.Millisecond
)

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
	conn *conn
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
	ready := make(chan struct{})
	s.conn = newConn(cfg.In, cfg.Out, cfg.Framing, waitFor{s, ready})
	close(ready)
	code := 0
	select {
	case code = <-s.end:
	case <-s.conn.rpc.DisconnectNotify():
		select {
		case code = <-s.end: // an exit right before the end of the input
		default:
		}
	case <-s.conn.stream.out.dead:
		slog.Warn("the client takes no more output")
	case <-ctx.Done():
	}
	s.finish()
	return code
}

// waitFor keeps the first message from overtaking the assignment of s.conn.
type waitFor struct {
	s     *Server
	ready chan struct{}
}

func (w waitFor) begin(ctx context.Context, m *message) (any, func() (any, error), error) {
	<-w.ready
	return w.s.begin(ctx, m)
}

// finish ends everything, in bounded time.
func (s *Server) finish() {
	s.cfg.Log.detach()
	settled := make(chan struct{})
	go func() {
		s.cfg.Agent.Close()
		s.conn.active.Wait()
		close(settled)
	}()
	wait(settled, settleTime)
	s.conn.stream.out.close()
	wait(s.conn.stream.out.done, flushTime)
	s.conn.rpc.Close()
}

func wait(done <-chan struct{}, most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

// method handles one method; later, if not nil, is run in a goroutine.
type method func(s *Server, ctx context.Context, params json.RawMessage) (result any, later func() (any, error), err error)

// quick makes a method that answers at once, in the order of arrival.
func quick[P, R any](f func(s *Server, p *P) (R, error)) method {
	return func(s *Server, _ context.Context, params json.RawMessage) (any, func() (any, error), error) {
		p, err := decodeParams[P](params)
		if err != nil {
			return nil, nil, err
		}
		r, err := f(s, p)
		return r, nil, err
	}
}

// slow makes a method that runs beside the others.
func slow[P, R any](f func(s *Server, ctx context.Context, p *P) (R, error)) method {
	return func(s *Server, ctx context.Context, params json.RawMessage) (any, func() (any, error), error) {
		p, err := decodeParams[P](params)
		if err != nil {
			return nil, nil, err
		}
		return nil, func() (any, error) { return f(s, ctx, p) }, nil
	}
}

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

// begin implements handler.
func (s *Server) begin(ctx context.Context, m *message) (any, func() (any, error), error) {
	if m.method == "shutdown" && !m.isNotification() {
		// From here on only exit is served, also if it is right behind.
		defer func() {
			s.mu.Lock()
			if s.state == stateReady {
				s.state = stateShutDown
			}
			s.mu.Unlock()
		}()
	}
	h := methods[m.method]
	if h == nil {
		if m.isNotification() {
			slog.Debug("unknown notification", "method", m.method)
			return nil, nil, nil
		}
		return nil, nil, errorf(CodeMethodNotFound, "method_not_found", "there is no method %q", m.method)
	}
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	switch {
	case m.method == "exit" || m.method == "initialize":
	case state == stateNew:
		return nil, nil, errorf(CodeNotInitialized, "not_initialized", "initialize comes first")
	case state == stateShutDown:
		return nil, nil, errorf(CodeInvalidRequest, "invalid_request", "the server has been shut down")
	}
	return h(s, ctx, m.params)
}

// decodeParams reads parameters: an object, or nothing at all.
func decodeParams[P any](raw json.RawMessage) (*P, error) {
	p := new(P)
	if raw == nil {
		return p, nil
	}
	if raw[0] != '{' {
		if string(bytes.TrimSpace(raw)) == "[]" {
			return p, nil
		}
		return nil, invalidParams("params must be an object")
	}
	if err := json.Unmarshal(raw, p); err != nil {
		if ute := new(json.UnmarshalTypeError); errors.As(err, &ute) {
			return nil, invalidParams("params.%s: a %s does not fit", ute.Field, ute.Value)
		}
		return nil, invalidParams("params: %v", err)
	}
	return p, nil
}

// required reports a parameter that is missing.
func required(name, value string) error {
	if value == "" {
		return invalidParams("params.%s is missing", name)
	}
	return nil
}
