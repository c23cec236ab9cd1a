package mcp

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// plainTools and plainBytes are how many tools, and how much of schemas and
	// descriptions, servers may have together before all of them are deferred:
	// the model then finds them with tool_search.
	plainTools = 20
	plainBytes = 8 << 10
	// settleWait bounds the wait for lists that have changed.
	settleWait = 2 * time.Second
)

// Set is the servers of one session. It is safe for concurrent use.
type Set struct {
	hub     *Hub
	changed func()
	roots   []string

	mu       sync.Mutex
	servers  []*Server
	registry *tools.Registry
	closed   bool
}

// ServerStatus is what a client is told of a server.
type ServerStatus struct {
	Name   string       `json:"name"`
	Source ServerSource `json:"source"`
	State  ServerState  `json:"state"`
	// What is its command line or address, as configured.
	What string `json:"what"`
	// Error says why it has failed.
	Error     string           `json:"error,omitempty"`
	Warnings  []string         `json:"warnings,omitempty"`
	Tools     []string         `json:"tools,omitempty"` // the names by which the model calls them
	Prompts   []string         `json:"prompts,omitempty"`
	Resources []ServerResource `json:"resources,omitempty"`
}

// Add adds servers, and starts those that do not run yet.
func (s *Set) Add(list []Config) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	for _, c := range list {
		s.servers = append(s.servers, s.hub.join(c, s.roots, s))
	}
	slices.SortStableFunc(s.servers, func(a, b *Server) int { return cmp.Compare(a.cfg.Name, b.cfg.Name) })
	s.mu.Unlock()
	s.rebuild()
}

func (s *Set) list() []*Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.servers)
}

// update is told that a server has something new.
func (s *Set) update() {
	s.rebuild()
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if !closed && s.changed != nil {
		s.changed()
	}
}

// rebuild makes the registry of all tools that there are now. Those of a server
// that is down stay: it may be back before the model calls one, and the model's
// view of its tools should not change without need.
func (s *Set) rebuild() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*tools.Tool
	size := 0
	for _, srv := range s.servers {
		srv.mu.Lock()
		all = append(all, srv.tools...)
		srv.mu.Unlock()
	}
	for _, t := range all {
		size += len(t.Schema()) + len(t.Description)
	}
	deferred := len(all) > plainTools || size > plainBytes
	next := tools.OpenRegistry()
	for _, t := range all {
		if deferred {
			c := *t
			c.Deferred = true
			t = &c
		}
		if err := next.Register(t); err != nil {
			slog.Warn("a tool of an MCP server is left out", "tool", t.Title, "err", err)
		}
	}
	next.Freeze()
	s.registry = next
}

// Registry gives the tools that there are now.
func (s *Set) Registry() *tools.Registry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.registry
}

// Wait waits until no server is starting any more, or ctx is done. It reports the
// servers that still are.
func (s *Set) Wait(ctx context.Context) (starting []string) {
	for _, srv := range s.list() {
		srv.wait(ctx)
		srv.mu.Lock()
		if srv.state == Starting {
			starting = append(starting, srv.cfg.Name)
		}
		srv.mu.Unlock()
	}
	s.rebuild() // what has just been listed may not have been told yet
	return starting
}

// Settle waits for a moment until changes that servers have told of are known.
func (s *Set) Settle(ctx context.Context) {
	var all sync.WaitGroup
	for _, srv := range s.list() {
		all.Go(func() { srv.settle(ctx) })
	}
	all.Wait()
}

// Status says how the servers are, in the order of names.
func (s *Set) Status() []ServerStatus {
	out := []ServerStatus{}
	for _, srv := range s.list() {
		srv.mu.Lock()
		st := ServerStatus{Name: srv.cfg.Name, Source: srv.cfg.Source, State: srv.state, What: srv.cfg.What(), Warnings: slices.Clone(srv.warnings)}
		if srv.state == Down {
			st.Error = srv.why
		}
		for _, t := range srv.tools {
			st.Tools = append(st.Tools, t.Name)
		}
		for _, p := range srv.prompts {
			st.Prompts = append(st.Prompts, p.Command)
		}
		st.Resources = slices.Clone(srv.resource)
		srv.mu.Unlock()
		out = append(out, st)
	}
	return out
}

// Restart starts a server anew.
func (s *Set) Restart(name string) error {
	for _, srv := range s.list() {
		if srv.cfg.Name == name {
			srv.Restart()
			return nil
		}
	}
	return fmt.Errorf("there is no MCP server %q", name)
}

// Close lets go of the servers; those that nobody else uses are ended.
func (s *Set) Close() {
	s.mu.Lock()
	list := s.servers
	s.servers, s.closed = nil, true
	s.mu.Unlock()
	for _, srv := range list {
		s.hub.leave(srv, s)
	}
}
