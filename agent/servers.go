package agent

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
)

const (
	// workspaceServers is the file with the MCP servers of a workspace.
	workspaceServers = ".mcp.json"
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

	mu       sync.Mutex
	live     bool // the client is told
	told     []mcp.ServerStatus
	commands []SlashCommand // as the client was told last
	note     string         // as the model was told last
}

// serverFile is a .mcp.json whose servers the person has not approved.
type serverFile struct {
	path, text string
	list       []mcp.Config
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
	if len(list) == 0 && len(s.servers.pending) == 0 {
		return
	}
	s.servers.set = hub.Open(list, s.files.Roots(), s.serversChanged)
	s.dispatch.More, s.dispatch.Absent = s.servers.set.Registry, s.absentTool
}

// serverFiles reads the .mcp.json of the roots. One that cannot be read is told
// of with the first prompt.
func (s *Session) serverFiles() (files []serverFile) {
	for _, root := range s.files.Roots() {
		file := path.Join(filepath.ToSlash(root), workspaceServers)
		text, err := s.readText(file)
		if tools.IsNotFound(err) {
			continue
		}
		var list []mcp.Config
		if err == nil {
			list, err = mcp.ParseFile(text)
		}
		if err != nil {
			s.servers.pending = append(s.servers.pending, serverFile{path: file, text: err.Error()})
			continue
		}
		if len(list) > 0 {
			files = append(files, serverFile{file, text, list})
		}
	}
	return files
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
	for _, f := range pending {
		t.approveServers(f)
	}
	if first {
		ctx, cancel := context.WithTimeout(t.ctx, serverWait)
		starting := s.servers.set.Wait(ctx)
		cancel()
		if len(starting) > 0 && t.ctx.Err() == nil {
			t.emit(NoticeEvent{Level: "info", Kind: "mcp", Message: "not waiting any longer for the MCP servers " + strings.Join(starting, ", ") + "; their tools are there once they have started"})
		}
		s.serversChanged()
	}
}

// approveServers asks the person whether the servers of a file may be started, and
// remembers the file as it is if they may.
func (t *turn) approveServers(f serverFile) {
	s := t.s
	shown := s.files.DisplayPath(f.path)
	if f.list == nil {
		t.emit(NoticeEvent{Level: "warning", Kind: "mcp", Message: fmt.Sprintf("the MCP servers of %s are not started: %s", shown, f.text)})
		return
	}
	refused := func(why string) {
		t.emit(NoticeEvent{Level: "warning", Kind: "mcp", Message: fmt.Sprintf("the MCP servers of %s are not started: %s", shown, why)})
	}
	if !s.client.Can().Confirm {
		refused("this client cannot ask whether they may be")
		return
	}
	release, err := s.attention(t.ctx)
	if err != nil {
		return
	}
	defer release()
	defer s.waiting()()
	a, err := s.client.Confirm(t.ctx, &ConfirmRequest{
		ConfirmID: "confirm-mcp-" + t.id + "-" + f.path, SessionID: s.ID, TurnID: t.id, Tool: "mcp", Level: tools.Dangerous,
		Title:   fmt.Sprintf("Start the MCP servers of %s?", shown),
		Reason:  "They run outside of agentd's control, with your rights. The file is remembered as it is; if it changes you are asked again.",
		Choices: []tools.Decision{tools.Allow, tools.Reject}, Input: startList(f.list),
	})
	switch {
	case t.ctx.Err() != nil:
		return
	case err != nil:
		refused(err.Error())
	case a.Decision != tools.Allow:
		refused("you have not allowed it; you are asked again in the next session")
	default:
		if err := s.agent.store.Approvals().Add(f.path, f.text); err != nil {
			refused("that they may be cannot be remembered: " + err.Error())
			return
		}
		running := map[string]bool{}
		for _, st := range s.servers.set.Status() {
			running[st.Name] = true
		}
		var fresh []mcp.Config
		for _, c := range f.list {
			switch {
			case running[c.Name]:
				s.agent.logDropped(s.ID, c)
			case !c.Disabled:
				fresh = append(fresh, c)
			}
		}
		s.servers.set.Add(fresh)
	}
}

// startList shows the person what would be started; variables stay names.
func startList(list []mcp.Config) map[string]any {
	out := map[string]any{}
	for _, c := range list {
		one := map[string]any{"starts": c.What()}
		if c.Cwd != "" {
			one["in"] = c.Cwd
		}
		if len(c.Env) > 0 {
			one["environment"] = c.Env
		}
		if len(c.Headers) > 0 {
			one["headers"] = c.Headers
		}
		if c.URL != "" {
			one = map[string]any{"connects to": c.URL}
			if len(c.Headers) > 0 {
				one["headers"] = c.Headers
			}
		}
		out[c.Name] = one
	}
	return out
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
