package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"github.com/agentd-dev/agentd/tools/process"
)

// startingAtOnce bounds the servers that are being started at a time.
const startingAtOnce = 8

// Hub holds the servers of a daemon. Sessions over the same folders share a
// server: there is one process of it. It is safe for concurrent use.
type Hub struct {
	environ  []string
	version  string
	starting chan struct{}

	orphans sync.Once // of daemons that were killed

	mu      sync.Mutex
	servers map[[sha256.Size]byte]*Server
	running sync.WaitGroup
	closed  bool
}

// NewHub makes a hub without servers. environ is what configurations may name
// variables of; it must not have the model's key.
func NewHub(environ []string, version string) *Hub {
	return &Hub{environ: environ, version: version, starting: make(chan struct{}, startingAtOnce), servers: map[[sha256.Size]byte]*Server{}}
}

// Open gives a session its servers, and starts those that do not run yet. It does
// not wait. changed is told when something about them is new; it must not call
// the set's Close.
func (h *Hub) Open(list []Config, roots []string, changed func()) *Set {
	set := &Set{hub: h, changed: changed, roots: roots}
	set.Add(list)
	return set
}

// join finds or starts a server and makes a set one of its users.
func (h *Hub) join(c Config, roots []string, set *Set) *Server {
	key := keyOf(&c, roots)
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.servers[key]
	if s == nil {
		h.orphans.Do(func() { go process.EndOrphans() })
		s = &Server{hub: h, cfg: c, key: key, dir: roots[0], roots: roots, users: map[*Set]bool{}, restart: make(chan struct{}, 1), look: make(chan struct{}, 1), listing: make(chan struct{}, 1), state: Starting, settled: make(chan struct{})}
		s.life, s.end = context.WithCancel(context.Background())
		if h.closed {
			s.end()
		}
		h.servers[key] = s
		h.running.Go(s.run)
	}
	s.users[set] = true // Hub.mu guards it
	return s
}

// leave takes a set from the users of a server; without any it is ended.
func (h *Hub) leave(s *Server, set *Set) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(s.users, set)
	if len(s.users) == 0 {
		if h.servers[s.key] == s {
			delete(h.servers, s.key)
		}
		s.end()
	}
}

// tell tells the users of a server that something about it is new.
func (h *Hub) tell(s *Server) {
	h.mu.Lock()
	users := make([]*Set, 0, len(s.users))
	for set := range s.users {
		users = append(users, set)
	}
	h.mu.Unlock()
	for _, set := range users {
		set.update()
	}
}

// Close ends all servers and waits for that.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	for _, s := range h.servers {
		s.end()
	}
	h.mu.Unlock()
	h.running.Wait()
}

// keyOf tells servers apart: by all that is configured and by where they run.
func keyOf(c *Config, roots []string) [sha256.Size]byte {
	b, _ := json.Marshal(struct { // strings and maps of them always encode
		Config
		Name   string
		Source ServerSource
		Roots  []string
	}{*c, c.Name, c.Source, roots})
	return sha256.Sum256(b)
}

func fileURI(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
