package rpc

import (
	"fmt"

	"github.com/agentd-dev/agentd/tools/mcp"
)

// MCPServer is an MCP server that a client names; the shape is ACP's. With a url
// it is one behind HTTP, else a program.
type MCPServer struct {
	Type    string          `json:"type,omitempty" jsonschema:"enum=stdio,enum=http,enum=sse"`
	Name    string          `json:"name"`
	Command string          `json:"command,omitempty"`
	Args    []string        `json:"args,omitempty"`
	Env     []NamedVariable `json:"env,omitempty"`
	URL     string          `json:"url,omitempty"`
	Headers []NamedVariable `json:"headers,omitempty"`
}

// NamedVariable is a variable of an environment, or a header.
type NamedVariable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// MCPRestartParams name the server to start anew.
type MCPRestartParams struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
}

// MCPResult says how the MCP servers of a session are.
type MCPResult struct {
	Servers []mcp.ServerStatus `json:"servers"`
}

// MCPConfigs checks the servers that a client names.
func MCPConfigs(list []MCPServer) ([]mcp.Config, error) {
	var out []mcp.Config
	taken := map[string]bool{}
	for i, m := range list {
		c := mcp.Config{Name: m.Name, Type: m.Type, Command: m.Command, Args: m.Args, URL: m.URL, Env: variables(m.Env), Headers: variables(m.Headers), Source: mcp.FromClient}
		if err := c.Check(); err != nil {
			return nil, invalidParams("params.mcpServers[%d]: %v", i, err)
		}
		if taken[c.Name] {
			return nil, invalidParams("params.mcpServers[%d]: there is a server %q already", i, c.Name)
		}
		taken[c.Name] = true
		out = append(out, c)
	}
	return out, nil
}

func variables(list []NamedVariable) map[string]string {
	if len(list) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, v := range list {
		out[v.Name] = v.Value
	}
	return out
}

func mcpList(s *Server, p *SessionParams) (*MCPResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	return &MCPResult{sess.Servers()}, nil
}

func mcpRestart(s *Server, p *MCPRestartParams) (*MCPResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	if err := required("name", p.Name); err != nil {
		return nil, err
	}
	if err := sess.RestartServer(p.Name); err != nil {
		return nil, fmt.Errorf("restarting: %w", err)
	}
	return &MCPResult{sess.Servers()}, nil
}
