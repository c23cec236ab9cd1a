package rpc

import (
	"encoding/json"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/agent/store"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// ProtocolVersion is the version of the native protocol that this daemon
// speaks. It changes only when a client would have to change.
const ProtocolVersion = 1

// InitializeParams open a connection.
type InitializeParams struct {
	ProtocolVersion int        `json:"protocolVersion"`
	ClientInfo      ClientInfo `json:"clientInfo"`
	// ProcessID is the client's process: when it ends, so does the daemon.
	ProcessID    *int               `json:"processId,omitempty"`
	Capabilities ClientCapabilities `json:"capabilities"`
}

// ClientInfo names a client.
type ClientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ClientCapabilities say which reverse requests the client answers.
type ClientCapabilities struct {
	Confirm *ConfirmCapabilities `json:"confirm,omitempty"`
	AskUser bool                 `json:"askUser,omitempty"`
	Buffers bool                 `json:"buffers,omitempty"` // answers buffer/apply
}

// ConfirmCapabilities say what a client can do with a confirmation.
type ConfirmCapabilities struct {
	Hunks       bool `json:"hunks,omitempty"`
	EditContent bool `json:"editContent,omitempty"`
}

// InitializeResult is the answer.
type InitializeResult struct {
	ProtocolVersion int                `json:"protocolVersion"`
	ServerInfo      ClientInfo         `json:"serverInfo"`
	Capabilities    ServerCapabilities `json:"capabilities"`
	Limits          Limits             `json:"limits"`
}

// ServerCapabilities say what the daemon can do.
type ServerCapabilities struct {
	Modes    []agent.ModeInfo     `json:"modes"`
	Commands []agent.SlashCommand `json:"commands"`
	// PromptTypes are the types of content blocks that prompts may have.
	PromptTypes []string `json:"promptTypes"`
}

// Limits bound messages.
type Limits struct {
	MaxMessageBytes int `json:"maxMessageBytes"`
	MaxBufferBytes  int `json:"maxBufferBytes"` // all unsaved buffers together
}

// Empty is a message without content.
type Empty struct{}

// SessionNewParams open a session.
type SessionNewParams struct {
	Cwd   string     `json:"cwd"`             // absolute
	Roots []string   `json:"roots,omitempty"` // further folders, absolute
	Model string     `json:"model,omitempty"`
	Mode  agent.Mode `json:"mode,omitempty"`
	// Enable switches on tools that are off by default, e.g. run_command.
	Enable []string `json:"enable,omitempty"`
	// Trusted says that the person trusts the workspace.
	Trusted bool `json:"trusted,omitempty"`
	// MCPServers are MCP servers for this session.
	MCPServers []MCPServer `json:"mcpServers,omitempty"`
}

// SessionNewResult is the new session.
type SessionNewResult struct {
	SessionID string            `json:"sessionId"`
	Title     string            `json:"title,omitempty"` // of a loaded session
	Model     string            `json:"model"`
	Models    []agent.ModelInfo `json:"models"`
	Mode      agent.Mode        `json:"mode"`
	Modes     []agent.ModeInfo  `json:"modes"`
	Tools     []agent.ToolInfo  `json:"tools"`
	// Commands are the slash commands of the session.
	Commands []agent.SlashCommand `json:"commands"`
}

// SessionParams name a session.
type SessionParams struct {
	SessionID string `json:"sessionId"`
}

// PromptParams start a turn.
type PromptParams struct {
	SessionID string               `json:"sessionId"`
	Prompt    []agent.ContentBlock `json:"prompt"`
	// Queue lets the prompt wait while the session is busy.
	Queue bool `json:"queue,omitempty"`
}

// SessionLoadParams open a stored session again. What is left out is as it was.
type SessionLoadParams struct {
	SessionID string     `json:"sessionId"`
	Cwd       string     `json:"cwd,omitempty"` // if the folder has moved
	Roots     []string   `json:"roots,omitempty"`
	Model     string     `json:"model,omitempty"`
	Mode      agent.Mode `json:"mode,omitempty"`
	Enable    []string   `json:"enable,omitempty"`
	Trusted   bool       `json:"trusted,omitempty"`
	// MCPServers are not remembered: the client names them again.
	MCPServers []MCPServer `json:"mcpServers,omitempty"`
}

// SessionListParams ask for stored sessions, the newest first.
type SessionListParams struct {
	Cwd    string `json:"cwd,omitempty"` // of this folder only
	Cursor string `json:"cursor,omitempty"`
	Limit  int    `json:"limit,omitempty"` // 50 if left out, at most 500
}

// SessionListResult is a page of the list.
type SessionListResult struct {
	Sessions   []store.Info `json:"sessions"`
	NextCursor string       `json:"nextCursor,omitempty"`
}

// SessionForkParams name a stored session and the last turn to take over; all if
// left out.
type SessionForkParams struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId,omitempty"`
}

// SessionForkResult names the new session, which can be loaded.
type SessionForkResult struct {
	SessionID string `json:"sessionId"`
}

// SessionRenameParams give a stored session a title.
type SessionRenameParams struct {
	SessionID string `json:"sessionId"`
	Title     string `json:"title"`
}

// SessionSteerParams put a message into the running turn.
type SessionSteerParams struct {
	SessionID string               `json:"sessionId"`
	Prompt    []agent.ContentBlock `json:"prompt"`
	// SteerID names the message for session/unsteer.
	SteerID string `json:"steerId,omitempty"`
}

// SessionUnsteerParams take a message back that the model does not have yet.
type SessionUnsteerParams struct {
	SessionID string `json:"sessionId"`
	SteerID   string `json:"steerId"`
}

// UnsteerResult says whether it was in time.
type UnsteerResult struct {
	Withdrawn bool `json:"withdrawn"`
}

// SessionCancelParams cancel a turn: the running one, or only the one named.
type SessionCancelParams struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId,omitempty"`
}

// SessionCancelResult says whether there was a turn to cancel.
type SessionCancelResult struct {
	Cancelled bool `json:"cancelled"`
}

// SessionConfigureParams change the mode or the model of a session, or how much
// the model is to think.
type SessionConfigureParams struct {
	SessionID string       `json:"sessionId"`
	Mode      agent.Mode   `json:"mode,omitempty"`
	Model     string       `json:"model,omitempty"`
	Effort    agent.Effort `json:"effort,omitempty"`
}

// SessionConfigureResult is what holds now.
type SessionConfigureResult struct {
	Mode   agent.Mode   `json:"mode"`
	Model  string       `json:"model"`
	Effort agent.Effort `json:"effort,omitempty"`
}

// SessionUndoParams name the turn to undo; the last that changed files if left
// out.
type SessionUndoParams struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId,omitempty"`
}

// ToolsListParams ask for the tools of a session, or of the daemon.
type ToolsListParams struct {
	SessionID string `json:"sessionId,omitempty"`
}

// ToolsResult lists tools.
type ToolsResult struct {
	Tools []agent.ToolInfo `json:"tools"`
}

// ToolsConfigureParams switch tools of a session on and off.
type ToolsConfigureParams struct {
	SessionID string   `json:"sessionId"`
	Enable    []string `json:"enable,omitempty"`
	Disable   []string `json:"disable,omitempty"`
}

// BufferClearParams name a buffer that is clean again.
type BufferClearParams struct {
	URI string `json:"uri"`
}

// LedgerResult lists what the model of a session has read.
type LedgerResult struct {
	Entries []editstate.LedgerEntry `json:"entries"`
}

// BreakerParams ask for the circuit breakers of a session; with a tool, its
// circuit is opened or closed by hand first.
type BreakerParams struct {
	SessionID string `json:"sessionId"`
	Tool      string `json:"tool,omitempty"`
	Open      bool   `json:"open,omitempty"`
}

// BreakerResult lists the tools that have failed or were stopped.
type BreakerResult struct {
	Circuits []tools.Circuit `json:"circuits"`
}

// CancelParams name a request to cancel.
type CancelParams struct {
	ID json.RawMessage `json:"id" jsonschema:"oneof_type=string;integer"`
}

// LogParams are a line of the daemon's log.
type LogParams struct {
	Level   string         `json:"level" jsonschema:"enum=debug,enum=info,enum=warning,enum=error"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data,omitempty"`
}

// ConfirmResult answers ui/confirm.
type ConfirmResult = tools.Answer

// AskUserResult answers ui/askUser.
type AskUserResult = tools.AskAnswer

// Direction says who sends a message.
type Direction string

// The directions.
const (
	ToServer Direction = "client to server"
	ToClient Direction = "server to client"
	Both     Direction = "both"
)

// Method describes a method of the protocol: its messages are the Go types of
// Params and Result.
type Method struct {
	Name         string
	Direction    Direction
	Notification bool
	Params       any
	Result       any // nil for a notification
}

// Methods lists the whole protocol. The schema, the TypeScript types and the
// tests of protocol.md are made from it.
func Methods() []Method {
	return []Method{
		{"initialize", ToServer, false, InitializeParams{}, InitializeResult{}},
		{"initialized", ToServer, true, Empty{}, nil},
		{"shutdown", ToServer, false, Empty{}, Empty{}},
		{"exit", ToServer, true, Empty{}, nil},
		{"session/new", ToServer, false, SessionNewParams{}, SessionNewResult{}},
		{"session/prompt", ToServer, false, PromptParams{}, agent.PromptResult{}},
		{"session/cancel", ToServer, false, SessionCancelParams{}, SessionCancelResult{}},
		{"session/configure", ToServer, false, SessionConfigureParams{}, SessionConfigureResult{}},
		{"session/load", ToServer, false, SessionLoadParams{}, SessionNewResult{}},
		{"session/list", ToServer, false, SessionListParams{}, SessionListResult{}},
		{"session/fork", ToServer, false, SessionForkParams{}, SessionForkResult{}},
		{"session/rename", ToServer, false, SessionRenameParams{}, Empty{}},
		{"session/delete", ToServer, false, SessionParams{}, Empty{}},
		{"session/steer", ToServer, false, SessionSteerParams{}, Empty{}},
		{"session/unsteer", ToServer, false, SessionUnsteerParams{}, UnsteerResult{}},
		{"session/undo", ToServer, false, SessionUndoParams{}, editstate.Undone{}},
		{"session/close", ToServer, false, SessionParams{}, Empty{}},
		{"tools/list", ToServer, false, ToolsListParams{}, ToolsResult{}},
		{"tools/configure", ToServer, false, ToolsConfigureParams{}, ToolsResult{}},
		{"mcp/list", ToServer, false, SessionParams{}, MCPResult{}},
		{"mcp/restart", ToServer, false, MCPRestartParams{}, MCPResult{}},
		{"buffer/set", ToServer, true, editstate.Buffer{}, nil},
		{"buffer/clear", ToServer, true, BufferClearParams{}, nil},
		{"debug/ledger", ToServer, false, SessionParams{}, LedgerResult{}},
		{"debug/breaker", ToServer, false, BreakerParams{}, BreakerResult{}},
		{"$/cancelRequest", Both, true, CancelParams{}, nil},
		{"session/update", ToClient, true, agent.Update{}, nil},
		{"log/message", ToClient, true, LogParams{}, nil},
		{"ui/confirm", ToClient, false, agent.ConfirmRequest{}, ConfirmResult{}},
		{"ui/askUser", ToClient, false, agent.AskRequest{}, AskUserResult{}},
		{"buffer/apply", ToClient, false, editstate.BufferEdit{}, editstate.BufferResult{}},
	}
}
