// Package agent runs sessions: the loop between the model and the tools, the
// permission policy, and the conversation with the person through Client.
package agent

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/store"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
)

// Limits of a daemon.
const (
	// MaxSessions bounds the sessions that are open at once.
	MaxSessions = 256
	// DefaultMaxRequests bounds the model requests of one prompt.
	DefaultMaxRequests = 100
)

// Models opens models by the names that users give them.
type Models interface {
	// Open gives a model; "" is the default one. The error says what the
	// user has to do.
	Open(name string) (model.Model, error)
	// List names the models that can be chosen; the first is the default.
	List() []ModelInfo
}

// ModelInfo describes a model that can be chosen.
type ModelInfo struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Config is what all sessions share.
type Config struct {
	Models   Models
	Registry *tools.Registry
	Host     *editstate.Host
	Redactor *tools.Redactor
	Audit    *tools.Audit
	// StateDir is where sessions keep their files; it need not exist.
	StateDir string
	// Own are further folders and files of agentd itself: its configuration.
	Own []string
	// Shell names what commands are run with, for the system prompt.
	Shell string
	// UserInstructions gives the user's own instructions, UserCommands the user's
	// own slash commands; both may be nil.
	UserInstructions func() string
	UserCommands     func() []CustomCommand
	UserAgents       func() []AgentType
	// UserSkills are the folders with the user's own skills.
	UserSkills []string
	// MCP holds the MCP servers; nil if there are none. Servers are those of the
	// user.
	MCP     *mcp.Hub
	Servers []mcp.Config
	// Context says how many tokens a model has room for, 0 if that is not
	// known; nil knows nothing.
	Context func(model string) int
	// BreakerFaults and BreakerPause are those of tools.Breaker.
	BreakerFaults int
	BreakerPause  time.Duration
	// Rules are the user's standing orders.
	Rules Rules
	// Environ is the environment of child processes, without keys.
	Environ []string
	// MaxRequests bounds the model requests of one prompt; 0 means
	// DefaultMaxRequests.
	MaxRequests int
	// Prices are what models cost, by name.
	Prices map[string]Price
	// Enable switches on tools that are off by default, in every session.
	Enable []string
	// Today gives the date of the system prompt; nil is time.Now.
	Today func() time.Time
}

// Agent holds the sessions. It is safe for concurrent use.
type Agent struct {
	cfg   Config
	store *store.Store

	mu       sync.Mutex
	sessions map[string]*Session
	closed   bool
	sweeper  *time.Timer // from the first session on
}

// New makes an agent without sessions.
func New(cfg Config) *Agent {
	if cfg.MaxRequests == 0 {
		cfg.MaxRequests = DefaultMaxRequests
	}
	if cfg.Today == nil {
		cfg.Today = time.Now
	}
	return &Agent{cfg: cfg, store: store.New(filepath.Join(cfg.StateDir, "sessions")), sessions: map[string]*Session{}}
}

// SessionConfig describes a new session.
type SessionConfig struct {
	Cwd   string   // absolute
	Roots []string // further roots, absolute
	Model string   // "" is the default
	Mode  Mode     // "" is ModeAsk
	// Effort is how much the model is to think; "" is EffortDefault.
	Effort Effort
	// Enable switches on tools that are off by default.
	Enable []string
	// Trusted says that the person trusts the workspace: its slash commands are
	// offered.
	Trusted bool
	// Servers are MCP servers that the client has named.
	Servers []mcp.Config

	loading bool     // it is not ready when it is opened
	off     []string // tools that were switched off
}

// NewSession opens a session for a client.
func (a *Agent) NewSession(cfg SessionConfig, client Client) (*Session, error) {
	return a.openSession(newSessionID(), cfg, client)
}

func (a *Agent) openSession(id string, cfg SessionConfig, client Client) (*Session, error) {
	mode, err := ParseMode(string(cfg.Mode))
	if err != nil {
		return nil, err
	}
	effort, err := ParseEffort(string(cfg.Effort))
	if err != nil {
		return nil, err
	}
	m, err := a.cfg.Models.Open(cfg.Model)
	if err != nil {
		return nil, err
	}
	s := &Session{ID: id, loading: cfg.loading, agent: a, client: client, model: m, mode: mode, effort: effort, breaker: &tools.Breaker{Faults: a.cfg.BreakerFaults, Pause: a.cfg.BreakerPause}}
	dir := a.store.Dir(s.ID)
	s.spool = tools.NewSpool(filepath.Join(dir, "results"), a.cfg.Redactor)
	s.undo = editstate.NewUndo(filepath.Join(dir, undoFolder))
	ws := editstate.Config{
		Undo:     s.undo,
		Roots:    append([]string{cfg.Cwd}, cfg.Roots...),
		OnStale:  s.filesChanged,
		Own:      append([]string{a.cfg.StateDir}, a.cfg.Own...),
		ReadOnly: append([]string{s.spool.Dir()}, a.cfg.UserSkills...),
		Secrets:  a.cfg.Redactor,
	}
	if client.Can().Buffers {
		ws.ApplyBuffer = client.ApplyBuffer
	}
	if e, ok := client.(Editor); ok && client.Can().Files {
		ws.ReadEditor = e.ReadFile
	}
	if s.files, err = a.cfg.Host.Open(ws); err != nil {
		return nil, &Error{Kind: ErrInvalid, Message: err.Error(), Err: err}
	}
	env := &tools.Env{Files: s.files, Spool: s.spool, Environ: a.cfg.Environ, Redactor: a.cfg.Redactor}
	if client.Can().AskUser {
		env.Ask = s.askUser
	}
	if t, ok := client.(Terminals); ok && client.Can().Terminals {
		env.Terminal = t.RunInTerminal
	}
	s.dispatch = &tools.Dispatcher{Session: s.ID, Registry: a.cfg.Registry, Gate: s, Env: env,
		Redactor: a.cfg.Redactor, Audit: a.cfg.Audit, Breaker: s.breaker}
	env.Catalog, env.Notify, env.Spawn, env.ShowPlan = s.dispatch, s.notify, spawner{s}, s.showPlan
	s.team = newTeam(s)
	env.Team = teamView{s.team, tools.Lead}
	s.begin()
	err = s.enable(a.cfg.Enable)
	for _, name := range cfg.off {
		s.dispatch.Preset(name, false) // it may come later
	}
	if err == nil {
		err = s.enable(cfg.Enable)
	}
	if err != nil {
		s.files.Close()
		return nil, err
	}
	s.loadTypes(cfg.Trusted)
	s.loadSkills(cfg.Trusted)
	if len(s.skills) > 0 {
		env.Skill = s.skill
	}
	s.openServers(cfg.Servers, cfg.Trusted)
	s.system = s.systemPrompt(a.cfg.Today())
	s.trusted = cfg.Trusted
	s.loadCommands()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || len(a.sessions) >= MaxSessions {
		s.closeServers()
		s.files.Close()
		return nil, &Error{Kind: ErrTooMany, Message: fmt.Sprintf("no more than %d sessions can be open at once; close one first", MaxSessions)}
	}
	a.sessions[s.ID] = s
	if a.sweeper == nil {
		a.sweeper = time.AfterFunc(sweepAfter, a.sweep)
	}
	return s, nil
}

// undoFolder is where a session keeps what its turns have changed.
const undoFolder = "undo"

// enable switches tools on.
func (s *Session) enable(names []string) error {
	for _, name := range names {
		if err := s.dispatch.Enable(name, true); err != nil {
			return &Error{Kind: ErrInvalid, Message: err.Error(), Err: err}
		}
	}
	return nil
}

// logDropped notes that a server has the name of another one.
func (a *Agent) logDropped(session string, c mcp.Config) {
	slog.Warn("an MCP server is left out: there is one of that name already", "session", session, "server", c.Name, "from", c.Source)
}

// sweepAfter is when it is tidied up: not while the editor starts.
const sweepAfter = 15 * time.Second

// sweep tidies up after sessions of processes that were killed.
func (a *Agent) sweep() {
	tools.Sweep(filepath.Join(a.cfg.StateDir, "sessions"), time.Now(), tools.KeepLeftBytes, func(id string) bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.closed || a.sessions[id] != nil
	})
}

// Session finds an open session.
func (a *Agent) Session(id string) (*Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sessions[id]
	if s == nil {
		return nil, &Error{Kind: ErrSessionNotFound, Message: fmt.Sprintf("there is no open session %q", id)}
	}
	if s.loading {
		return nil, &Error{Kind: ErrBusy, Message: fmt.Sprintf("the session %q is being loaded; wait for the answer to that", id)}
	}
	return s, nil
}

// CloseSession cancels what a session is doing, waits until it has settled and
// lets go of all that it holds.
func (a *Agent) CloseSession(id string) error {
	s, err := a.Session(id)
	if err != nil {
		return err
	}
	a.mu.Lock()
	delete(a.sessions, id)
	a.mu.Unlock()
	s.close()
	return nil
}

// Registry is the tools that there are.
func (a *Agent) Registry() *tools.Registry { return a.cfg.Registry }

// Models lists the models that can be chosen.
func (a *Agent) Models() []ModelInfo { return a.cfg.Models.List() }

// Host holds the unsaved buffers.
func (a *Agent) Host() *editstate.Host { return a.cfg.Host }

// Close closes all sessions and the file world.
func (a *Agent) Close() {
	a.mu.Lock()
	a.closed = true
	if a.sweeper != nil {
		a.sweeper.Stop()
	}
	var all []*Session
	for _, s := range a.sessions {
		all = append(all, s)
	}
	clear(a.sessions)
	a.mu.Unlock()
	var wg sync.WaitGroup
	for _, s := range all {
		wg.Go(s.close)
	}
	wg.Wait()
	if a.cfg.MCP != nil {
		a.cfg.MCP.Close()
	}
	a.cfg.Host.Close()
	a.cfg.Audit.Close()
}
