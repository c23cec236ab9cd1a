package acp

// mcpCapabilities say which MCP servers session/new can be given beside those on
// stdio, which every agent has to take.
type mcpCapabilities struct {
	HTTP bool `json:"http"`
	SSE  bool `json:"sse"`
}

// servedMCP is what package mcp can do.
var servedMCP = mcpCapabilities{HTTP: true, SSE: true}
