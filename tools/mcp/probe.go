package mcp

import "context"

// Probe starts a server by itself, tells how it is, with its tools, and ends it.
func Probe(ctx context.Context, c Config, dir string, environ []string, version string) (ServerStatus, []ToolText, string) {
	h := NewHub(environ, version)
	defer h.Close()
	set := h.Open([]Config{c}, []string{dir}, nil)
	defer set.Close()
	srv := set.list()[0]
	srv.wait(ctx)
	srv.mu.Lock()
	l := srv.link
	var out []ToolText
	for _, t := range srv.tools {
		out = append(out, ToolText{t.Name, t.Title, t.Description})
	}
	srv.mu.Unlock()
	stderr := ""
	if l != nil {
		stderr = l.stderr()
	}
	return set.Status()[0], out, stderr
}

// ToolText is what a person wants to know of a tool.
type ToolText struct{ Name, Title, Description string }
