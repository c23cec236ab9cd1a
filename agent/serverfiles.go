package agent

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
)

// workspaceServers is the file with the MCP servers of a workspace.
const workspaceServers = ".mcp.json"

// serverFile is a .mcp.json whose servers the person has not approved.
type serverFile struct {
	path, text string
	list       []mcp.Config
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
		for i, c := range list { // what it names lies beside it
			if !filepath.IsAbs(c.Cwd) && !strings.HasPrefix(c.Cwd, "${") {
				list[i].Cwd = filepath.Join(root, c.Cwd)
			}
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
		s.addServers(f.list)
	}
}

// addServers starts those of a file that the person has just approved. A name that
// somebody else's server has is taken, also if that one is switched off.
func (s *Session) addServers(list []mcp.Config) {
	fresh, _ := mcp.Merge(list)
	fresh = slices.DeleteFunc(fresh, func(c mcp.Config) bool {
		if slices.Contains(s.servers.taken, c.Name) {
			s.agent.logDropped(s.ID, c)
			return true
		}
		return false
	})
	for _, c := range list {
		s.servers.taken = append(s.servers.taken, c.Name)
	}
	s.servers.set.Add(fresh)
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
