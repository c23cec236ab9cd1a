package acp

import (
	"net/url"

	"github.com/agentd-dev/agentd/rpc/wire"
)

// mcpCapabilities say which transports there are beside stdio.
type mcpCapabilities struct {
	HTTP bool `json:"http"`
	SSE  bool `json:"sse"`
}

// servedMCP is what session/new can be given beside servers on stdio, which every
// agent has to take.
var servedMCP = mcpCapabilities{}

// mcpServer is a server that the client wants the session to have.
type mcpServer struct {
	Type    string   `json:"type"` // "http" or "sse"; else it is started: "" or "stdio"
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Env     []pair   `json:"env"`
	URL     string   `json:"url"`
	Headers []pair   `json:"headers"`
}

// pair is an environment variable or an HTTP header.
type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// checkServers says what is wrong with a list of servers.
func checkServers(list []mcpServer) error {
	seen := map[string]bool{}
	for i, m := range list {
		bad := func(format string, a ...any) error {
			return wire.InvalidParams("params.mcpServers[%d]: "+format, append([]any{i}, a...)...)
		}
		switch {
		case m.Name == "":
			return bad("it has no name")
		case seen[m.Name]:
			return bad("there are two named %q", m.Name)
		}
		seen[m.Name] = true
		switch m.Type {
		case "", "stdio":
			if m.Command == "" {
				return bad("%q has no command", m.Name)
			}
		case "http", "sse":
			u, err := url.Parse(m.URL)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				return bad("%q needs an http or https URL, not %q", m.Name, m.URL)
			}
		default:
			return bad("%q has the unknown type %q", m.Name, m.Type)
		}
		for _, p := range append(m.Env, m.Headers...) {
			if p.Name == "" {
				return bad("%q has a variable or header without a name", m.Name)
			}
		}
	}
	return nil
}
