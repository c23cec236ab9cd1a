package agent

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
)

const (
	// serverWait bounds how long the first prompt waits for servers that are
	// starting. Those that come later are there from the next request on.
	serverWait = 5 * time.Second
)

// servers are the MCP servers of a session. They are started with it, and the
// client is told of them from its first prompt on.
type servers struct {
	set *mcp.Set
	// pending are the files of the workspace about which the person has to be
	// asked.
	pending []serverFile
	taken   []string // the names of servers, also of those that are switched off

	mu       sync.Mutex
	live     bool // the client is told
	told     []mcp.ServerStatus
	commands []SlashCommand // as the client was told last
	note     string         // as the model was told last
}

// openServers finds and starts the session's servers.
func (s *Session) openServers(fromClient []mcp.Config, trusted bool) {
	hub := s.agent.cfg.MCP
	if hub == nil {
		return
	}
	var approved []mcp.Config
	if trusted {
		for _, f := range s.serverFiles() {
			if s.agent.store.Approvals().Has(f.path, f.text) {
				approved = append(approved, f.list...)
			} else {
				s.servers.pending = append(s.servers.pending, f)
			}
		}
	}
	list, dropped := mcp.Merge(fromClient, s.agent.cfg.Servers, approved)
	for _, c := range dropped {
		s.agent.logDropped(s.ID, c)
	}
	for _, c := range slices.Concat(fromClient, s.agent.cfg.Servers, approved) {
		s.servers.taken = append(s.servers.taken, c.Name)
	}
	if len(list) == 0 && len(s.servers.pending) == 0 {
		return
	}
	s.servers.set = hub.Open(list, s.files.Roots(), s.serversChanged)
	s.dispatch.More, s.dispatch.Absent = s.servers.set.Registry, s.absentTool
}

// beginServers is what the first prompt does: it asks about the servers of the
// workspace, waits for those that are starting, and tells the client.
func (t *turn) beginServers() {
	s := t.s
	if s.servers.set == nil {
		return
	}
	s.servers.mu.Lock()
	first := !s.servers.live
	s.servers.live = true
	pending := s.servers.pending
	s.servers.pending = nil
	s.servers.mu.Unlock()
	for i, f := range pending {
		if t.approveServers(f); t.ctx.Err() != nil { // the next prompt asks again
			s.servers.mu.Lock()
			s.servers.pending = pending[i:]
			s.servers.mu.Unlock()
			break
		}
	}
	if first || len(pending) > 0 {
		ctx, cancel := context.WithTimeout(t.ctx, serverWait)
		starting := s.servers.set.Wait(ctx)
		cancel()
		if len(starting) > 0 && t.ctx.Err() == nil {
			t.emit(NoticeEvent{Level: "info", Kind: "mcp", Message: "not waiting any longer for the MCP servers " + strings.Join(starting, ", ") + "; their tools are there once they have started"})
		}
		s.serversChanged()
	}
}

// absentTool says why a tool is not there: its server may not be running.
func (s *Session) absentTool(name string) string {
	for _, st := range s.Servers() {
		if !strings.HasPrefix(name, mcp.Prefix+st.Name+"__") || st.State == mcp.Ready {
			continue
		}
		if st.State == mcp.Starting {
			return fmt.Sprintf("the MCP server %s is starting", st.Name)
		}
		return fmt.Sprintf("the MCP server %s is not running: %s", st.Name, st.Error)
	}
	return ""
}

// closeServers lets go of them.
func (s *Session) closeServers() {
	if s.servers.set != nil {
		s.servers.set.Close()
	}
}

// serversChanged is told when something about the servers is new.
func (s *Session) serversChanged() {
	s.servers.mu.Lock() // until the client is told: what it is told last must hold
	defer s.servers.mu.Unlock()
	if !s.servers.live {
		return
	}
	list, commands := s.Servers(), s.Commands()
	for _, st := range list {
		was := slices.IndexFunc(s.servers.told, func(t mcp.ServerStatus) bool { return t.Name == st.Name })
		if st.State == mcp.Down && (was < 0 || s.servers.told[was].State != mcp.Down) {
			s.emit(s.life, s.turnID(), NoticeEvent{Level: "warning", Kind: "mcp", Message: fmt.Sprintf("the MCP server %s is not running: %s", st.Name, st.Error)})
		}
	}
	if !reflect.DeepEqual(list, s.servers.told) {
		s.servers.told = list
		s.emit(s.life, s.turnID(), ServersEvent{list})
	}
	s.deferredNote()
	if !slices.Equal(commands, s.servers.commands) && len(s.serverPrompts()) > 0 {
		s.emit(s.life, s.turnID(), CommandsEvent{commands})
	}
	s.servers.commands = commands
}

func (s *Session) maskServers(list []mcp.ServerStatus) []mcp.ServerStatus {
	for i := range list {
		list[i].Error, list[i].What = s.agent.cfg.Redactor.Text(list[i].Error), s.agent.cfg.Redactor.Text(list[i].What)
	}
	return list
}

// Servers says how the session's MCP servers are.
func (s *Session) Servers() []mcp.ServerStatus {
	if s.servers.set == nil {
		return []mcp.ServerStatus{}
	}
	return s.maskServers(s.servers.set.Status())
}

// RestartServer starts an MCP server anew.
func (s *Session) RestartServer(name string) error {
	err := fmt.Errorf("there is no MCP server %q", name)
	if s.servers.set != nil {
		err = s.servers.set.Restart(name)
	}
	if err != nil {
		return &Error{Kind: ErrInvalid, Message: err.Error(), Err: err}
	}
	return nil
}

// settleServers waits for a moment until what servers have told of is known, so
// that the model's next request has the tools that there are.
func (t *turn) settleServers() {
	if set := t.s.servers.set; set != nil {
		set.Settle(t.ctx)
	}
}

// deferredNote tells the model what it can find with tool_search: of which servers
// there are tools that it has not been told of.
func (s *Session) deferredNote() {
	var parts []string
	for _, st := range s.servers.told {
		if st.State == mcp.Ready && len(st.Tools) > 0 {
			if t := s.dispatch.Get(st.Tools[0]); t != nil && t.Deferred {
				parts = append(parts, fmt.Sprintf("%s (%d tools)", st.Name, len(st.Tools)))
			}
		}
	}
	note := ""
	if len(parts) > 0 {
		note = "MCP servers whose tools tool_search finds: " + strings.Join(parts, ", ") + "."
	}
	if note == s.servers.note {
		return
	}
	s.servers.note = note
	if note != "" {
		s.mu.Lock()
		s.notes = append(s.notes, tools.Note{Text: note})
		s.mu.Unlock()
	}
}
