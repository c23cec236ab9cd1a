package acp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// session is an open session and, for the agent, the client of it.
type session struct {
	srv    *server
	core   *agent.Session // from the moment on at which it is known to the client
	life   context.Context
	end    context.CancelFunc
	opened chan struct{} // closed when the client has the reply that names it

	mu      sync.Mutex
	name    string // its id, from the first update on
	phase   phase
	held    []any // updates for after that reply
	calls   map[string]*call
	told    agent.ConfigEvent
	usage   *agent.UsageEvent // of a replay, the last one
	compact string            // the compaction that is going on
	notices int

	refusing sync.Mutex
	refused  map[string]bool // grants that the person rejects for this session
}

// phase is how far a session is: what becomes of its updates.
type phase int

const (
	phaseHeld   phase = iota // they wait for the reply to session/new or resume
	phaseReplay              // they are what happened before, for session/load
	phaseMute                // they are that and nobody wants them
	phaseOpen
)

func (s *server) newSession(p phase) *session {
	sess := &session{srv: s, phase: p, opened: make(chan struct{}), calls: map[string]*call{}, refused: map[string]bool{}}
	sess.life, sess.end = context.WithCancel(context.Background())
	return sess
}

// sessionParams are those of session/new, load and resume.
type sessionParams struct {
	SessionID   string          `json:"sessionId"`
	Cwd         string          `json:"cwd"`
	Directories []string        `json:"additionalDirectories"`
	MCPServers  []rpc.MCPServer `json:"mcpServers"`
	Meta        json.RawMessage `json:"_meta"`
}

// sessionExtensions are what _meta.agentd may say of a session; see the native
// session/new.
type sessionExtensions struct {
	Model   string     `json:"model"`
	Mode    agent.Mode `json:"mode"`
	Enable  []string   `json:"enable"`
	Trusted bool       `json:"trusted"`
}

// config makes the agent's parameters of ACP's.
func (p *sessionParams) config() (agent.SessionConfig, error) {
	var c agent.SessionConfig
	if err := wire.Required("cwd", p.Cwd); err != nil {
		return c, err
	}
	if !filepath.IsAbs(p.Cwd) {
		return c, wire.InvalidParams("params.cwd must be an absolute path, not %q", p.Cwd)
	}
	servers, err := rpc.MCPConfigs(p.MCPServers)
	if err != nil {
		return c, err
	}
	own, err := extensionsOf[sessionExtensions](p.Meta)
	if err != nil {
		return c, wire.InvalidParams("params._meta.agentd: %v", err)
	}
	c = agent.SessionConfig{Cwd: p.Cwd, Roots: p.Directories, Servers: servers}
	if own != nil {
		c.Model, c.Mode, c.Enable, c.Trusted = own.Model, own.Mode, own.Enable, own.Trusted
	}
	return c, nil
}

// sessionState is what a client is told of a session that it has opened.
type sessionState struct {
	SessionID string         `json:"sessionId,omitempty"` // of a new one
	Modes     modeState      `json:"modes"`
	Options   []configOption `json:"configOptions"`
}

func (sess *session) state(id string) sessionState {
	return sessionState{SessionID: id, Modes: sess.modes(), Options: sess.options()}
}

func sessionNew(s *server, _ context.Context, p *sessionParams) (any, error) {
	cfg, err := p.config()
	if err != nil {
		return nil, err
	}
	sess := s.newSession(phaseHeld)
	if sess.core, err = s.cfg.Agent.NewSession(cfg, sess); isAuth(err) && s.refreshed() {
		sess.core, err = s.cfg.Agent.NewSession(cfg, sess) // the person has set it up meanwhile
	}
	if err != nil {
		return nil, err
	}
	s.add(sess)
	return wire.Replied{Result: sess.state(sess.core.ID), Then: sess.open}, nil
}

func isAuth(err error) bool {
	var e *agent.Error
	return errors.As(err, &e) && e.Kind == agent.ErrAuthRequired
}

func sessionLoad(s *server, _ context.Context, p *sessionParams) (any, error) {
	return s.reopen(p, phaseReplay)
}

func sessionResume(s *server, _ context.Context, p *sessionParams) (any, error) {
	return s.reopen(p, phaseMute)
}

// reopen opens a stored session. One that is open here is closed first: a client
// that loads it has lost it, or wants to hear it again.
func (s *server) reopen(p *sessionParams, how phase) (any, error) {
	if err := wire.Required("sessionId", p.SessionID); err != nil {
		return nil, err
	}
	cfg, err := p.config()
	if err != nil {
		return nil, err
	}
	if old, err := s.session(p.SessionID); err == nil {
		if old.core.Busy() {
			return nil, &agent.Error{Kind: agent.ErrBusy, Message: "the session is open and busy with a turn; cancel it first"}
		}
		if !old.core.Stored() { // it had no prompt yet: there is nothing to tell again
			return old.state(""), nil
		}
		if err := s.close(p.SessionID); err != nil {
			return nil, err
		}
	}
	sess := s.newSession(how)
	if sess.core, err = s.cfg.Agent.LoadSession(p.SessionID, cfg, sess); isAuth(err) && s.refreshed() {
		sess.core, err = s.cfg.Agent.LoadSession(p.SessionID, cfg, sess)
	}
	if err != nil {
		sess.end()
		return nil, err
	}
	sess.replayed()
	s.add(sess)
	return wire.Replied{Result: sess.state(""), Then: sess.open}, nil
}

func (s *server) add(sess *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[sess.core.ID] = sess
}

// open lets the updates of the session out; the client has the reply.
func (sess *session) open() {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	held := sess.held
	sess.phase, sess.held, sess.name = phaseOpen, nil, sess.core.ID
	sess.told.Mode = sess.core.Mode()
	sess.send(commandsUpdate(sess.core.Commands()))
	for _, u := range held {
		sess.send(u)
	}
	close(sess.opened)
}

// replayed ends the replay of a session.
func (sess *session) replayed() {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	if sess.usage != nil && sess.phase == phaseReplay {
		sess.sendUsage(*sess.usage)
	}
	sess.phase, sess.name = phaseHeld, sess.core.ID
	if t := sess.core.Title(); t != "" {
		sess.send(infoUpdate{Kind: "session_info_update", Title: t})
	}
}

type listParams struct {
	Cwd    *string `json:"cwd"`
	Cursor *string `json:"cursor"`
}

type listResult struct {
	Sessions   []sessionInfo `json:"sessions"`
	NextCursor string        `json:"nextCursor,omitempty"`
}

type sessionInfo struct {
	SessionID string    `json:"sessionId"`
	Cwd       string    `json:"cwd"`
	Title     string    `json:"title,omitempty"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// listPage is how many sessions a page of the list has.
const listPage = 50

func sessionList(s *server, _ context.Context, p *listParams) (*listResult, error) {
	list, next, err := s.cfg.Agent.ListSessions(value(p.Cwd), value(p.Cursor), listPage)
	if err != nil {
		return nil, err
	}
	r := &listResult{Sessions: []sessionInfo{}, NextCursor: next}
	for _, i := range list {
		r.Sessions = append(r.Sessions, sessionInfo{i.ID, i.Cwd, i.Title, i.Updated})
	}
	return r, nil
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type idParams struct {
	SessionID string `json:"sessionId"`
}

func sessionDelete(s *server, _ context.Context, p *idParams) (empty, error) {
	if err := wire.Required("sessionId", p.SessionID); err != nil {
		return empty{}, err
	}
	s.remove(p.SessionID)
	return empty{}, s.cfg.Agent.DeleteSession(p.SessionID)
}

func sessionClose(s *server, _ context.Context, p *idParams) (empty, error) {
	if err := wire.Required("sessionId", p.SessionID); err != nil {
		return empty{}, err
	}
	return empty{}, s.close(p.SessionID)
}

func (s *server) close(id string) error {
	defer s.remove(id)
	return s.cfg.Agent.CloseSession(id)
}

// remove forgets a session that is being closed.
func (s *server) remove(id string) {
	s.mu.Lock()
	sess := s.sessions[id]
	delete(s.sessions, id)
	s.mu.Unlock()
	if sess != nil {
		sess.end()
		slog.Debug("session closed", "session", id)
	}
}
