package agent

import (
	"context"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// Client is the editor and the person in front of it, as the agent sees them.
// Packages rpc and rpc/acp implement it.
type Client interface {
	// Emit tells the client of an update. Updates of a session come in the
	// order of their Seq. Emit may wait while the client reads slowly, but
	// not after ctx has ended.
	Emit(ctx context.Context, u Update)
	// Confirm asks the person about a call. Any error counts as a rejection.
	Confirm(ctx context.Context, r *ConfirmRequest) (tools.Answer, error)
	// Ask asks the person questions.
	Ask(ctx context.Context, r *AskRequest) (tools.AskAnswer, error)
	// ApplyBuffer puts a text into an unsaved buffer of the editor.
	ApplyBuffer(ctx context.Context, e editstate.BufferEdit) (editstate.BufferResult, error)
	// Can says what the client is able to do.
	Can() Capabilities
}

// Editor is a Client that is asked for the text of files, in place of telling of
// its unsaved buffers by itself. It is asked if Capabilities.Files says so.
type Editor interface {
	// ReadFile gives the editor's text of a file, by its real path, saved or
	// not; editstate.ErrNotInEditor if it has none.
	ReadFile(ctx context.Context, path string) (string, error)
}

// Terminals is a Client with terminals of its own, in which commands run if
// Capabilities.Terminals says so. What may run is decided before.
type Terminals interface {
	RunInTerminal(ctx context.Context, c tools.TerminalCommand) (*tools.TerminalEnd, error)
}

// Capabilities say which of the reverse requests a client answers.
type Capabilities struct {
	Confirm bool
	AskUser bool
	Buffers bool
	// Files and Terminals are those of an Editor and of Terminals.
	Files     bool
	Terminals bool
}

// ConfirmRequest asks the person whether a call may run.
type ConfirmRequest struct {
	ConfirmID  string      `json:"confirmId"`
	SessionID  string      `json:"sessionId"`
	TurnID     string      `json:"turnId"`
	ToolCallID string      `json:"toolCallId"`
	Tool       string      `json:"tool"`
	Level      tools.Level `json:"level"`
	Title      string      `json:"title"`
	Reason     string      `json:"reason,omitempty"`
	// Agent is the task of the subagent whose call it is; "" for the session's
	// own.
	Agent   string              `json:"agent,omitempty"`
	Choices []tools.Decision    `json:"choices"`
	Grants  []tools.Grant       `json:"grants,omitempty"`
	Changes []*editstate.Change `json:"changes,omitempty"`
	Command *tools.Command      `json:"command,omitempty"`
	// Input is the call's arguments when neither Changes nor Command shows
	// what will happen.
	Input any `json:"input,omitempty"`
}

// AskRequest asks the person questions of the model's.
type AskRequest struct {
	AskID      string           `json:"askId"`
	SessionID  string           `json:"sessionId"`
	TurnID     string           `json:"turnId"`
	ToolCallID string           `json:"toolCallId"`
	Questions  []tools.Question `json:"questions"`
}
