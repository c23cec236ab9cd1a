package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// restarts bounds how often a server is started again by itself before it has
	// run for steadyAfter.
	restarts    = 5
	steadyAfter = time.Minute
	// firstPause is the pause before the first restart; each one after it is
	// twice as long.
	firstPause = time.Second
	// lookPause is the pause between two looks at the lists of a server.
	lookPause = 200 * time.Millisecond
)

// ServerState says how a server is.
type ServerState string

// The states of a server.
const (
	Starting ServerState = "starting"
	Ready    ServerState = "ready"
	Down     ServerState = "failed"
)

// Server is one server, shared by the sessions that use it. It is safe for
// concurrent use.
type Server struct {
	hub   *Hub
	cfg   Config
	key   [sha256.Size]byte
	dir   string
	roots []string
	users map[*Set]bool // Hub.mu guards it

	life    context.Context
	end     context.CancelFunc
	restart chan struct{} // a person asks for it
	look    chan struct{} // its lists have changed

	listing chan struct{} // holds something while the lists are asked for

	mu       sync.Mutex
	state    ServerState
	settled  chan struct{} // closed when it is no longer starting
	why      string        // it is down
	again    bool          // it will be started again by itself
	warnings []string
	link     *link // nil unless it is ready
	tools    []*tools.Tool
	prompts  []Prompt
	resource []ServerResource
	waiting  map[string]func(*sdk.ProgressNotificationParams) // calls by their token
	tokens   int
}

// errRestart ends a server that a person wants to have started anew.
var errRestart = errors.New("it is being restarted")

// run keeps the server running until its life ends.
func (s *Server) run() {
	tries := 0
	for s.life.Err() == nil {
		l, err := s.start()
		if err == nil {
			began := time.Now()
			err = s.attend(l)
			if time.Since(began) >= steadyAfter {
				tries = 0
			}
		}
		if errors.Is(err, errRestart) {
			tries = 0
			s.setStarting()
			continue
		}
		var final *startError
		tries++
		again := tries <= restarts && !errors.As(err, &final)
		s.setDown(err, again)
		if s.life.Err() != nil {
			return
		}
		var pause <-chan time.Time
		if again {
			pause = time.After(firstPause << (tries - 1))
		}
		select {
		case <-s.life.Done():
			return
		case <-s.restart:
			tries = 0
		case <-pause:
		}
		s.setStarting()
	}
}

// start brings the server up and asks for its lists.
func (s *Server) start() (*link, error) {
	select {
	case s.hub.starting <- struct{}{}:
		defer func() { <-s.hub.starting }()
	case <-s.life.Done():
		return nil, s.life.Err()
	}
	ctx, cancel := context.WithTimeout(s.life, s.cfg.startup())
	defer cancel()
	l, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.list(ctx, l, true, true); err != nil {
		err = withFate(ctx, err, "", l.stderr())
		l.close()
		return nil, err
	}
	s.mu.Lock()
	s.state, s.link, s.why = Ready, l, ""
	close(s.settled)
	s.mu.Unlock()
	slog.Debug("an MCP server is ready", "server", s.cfg.Name)
	s.hub.tell(s)
	return l, nil
}

// attend follows a running server until it is gone; the error says why.
func (s *Server) attend(l *link) error {
	for {
		select {
		case <-l.gone:
			fate := l.child.fate(s.life)
			if fate == "" {
				fate = "the connection was lost"
			}
			l.close()
			return withFate(s.life, errors.New(fate), fate, l.stderr())
		case <-s.life.Done():
			l.close()
			return s.life.Err()
		case <-s.restart:
			l.close()
			return errRestart
		case <-s.look:
			s.refresh(s.life, l)
			select { // a server may tell of changes without end
			case <-time.After(lookPause):
			case <-s.life.Done():
			case <-l.gone:
			}
		}
	}
}

func (l *link) stderr() string {
	if l.child == nil {
		return ""
	}
	return l.child.stderr.String()
}

func (s *Server) setDown(err error, again bool) {
	s.mu.Lock()
	was := s.state
	s.state, s.link, s.again = Down, nil, again
	if err != nil {
		s.why = err.Error()
	}
	if was == Starting {
		close(s.settled)
	}
	s.mu.Unlock()
	if s.life.Err() == nil {
		slog.Warn("an MCP server is down", "server", s.cfg.Name, "again", again, "err", err)
		s.hub.tell(s)
	}
}

func (s *Server) setStarting() {
	s.mu.Lock()
	s.state, s.settled, s.link = Starting, make(chan struct{}), nil
	s.mu.Unlock()
	s.hub.tell(s)
}

// poke has the server's lists looked at again.
func (s *Server) poke() {
	select {
	case s.look <- struct{}{}:
	default:
	}
}

// refresh asks for the lists that have changed. What cannot be had stays as it
// was.
func (s *Server) refresh(life context.Context, l *link) {
	ctx, cancel := context.WithTimeout(life, s.cfg.startup())
	defer cancel()
	if err := s.list(ctx, l, false, false); err != nil && life.Err() == nil {
		s.warn("its list could not be asked for again, the one before still holds: " + err.Error())
	}
	s.hub.tell(s)
}

func (s *Server) warn(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addWarning(text)
}

// mostWarnings bounds the warnings that are kept of a server.
const mostWarnings = 20

// addWarning adds a warning. s.mu is held.
func (s *Server) addWarning(text string) {
	for _, w := range s.warnings {
		if w == text {
			return
		}
	}
	if len(s.warnings) < mostWarnings {
		s.warnings = append(s.warnings, text)
	}
}

// wait waits until the server is no longer starting.
func (s *Server) wait(ctx context.Context) {
	s.mu.Lock()
	settled := s.settled
	s.mu.Unlock()
	select {
	case <-settled:
	case <-s.life.Done():
	case <-ctx.Done():
	}
}

// settle waits for a moment until changes that the server has told of are known. A
// list that takes longer is asked for all the same.
func (s *Server) settle(ctx context.Context) {
	s.mu.Lock()
	l := s.link
	s.mu.Unlock()
	if l == nil || l.toolsChanged.Load() == l.toolsListed.Load() {
		return
	}
	done := make(chan struct{})
	go func() {
		s.refresh(s.life, l)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(settleWait):
	case <-ctx.Done():
	}
}

// Restart starts the server anew, unless it is being started.
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == Starting {
		return
	}
	select {
	case s.restart <- struct{}{}:
	default: // it is asked for already
	}
}
