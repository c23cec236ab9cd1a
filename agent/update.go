package agent

import (
	"encoding/json"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tools"
)

// Update is one thing that happened in a session, as the client is told it.
// Seq grows by at least one from update to update of a session.
type Update struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId,omitempty"`
	Seq       int64  `json:"seq"`
	Update    Event  `json:"update"`
}

// Event is the body of an Update: one of the types below, told apart by their
// field "type".
type Event interface{ EventType() string }

// MessageDelta is a piece of the model's answer. The pieces of one reply share
// a MessageID.
type MessageDelta struct {
	MessageID string `json:"messageId"`
	Text      string `json:"text"`
}

// ThoughtDelta is a piece of the model's reasoning.
type ThoughtDelta struct {
	MessageID string `json:"messageId"`
	Text      string `json:"text"`
}

// ToolStatus is how far a tool call is; the words are ACP's.
type ToolStatus string

// Statuses of a tool call.
const (
	ToolPending    ToolStatus = "pending" // made by the model; may wait for the person
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed" // an error, a denial, a cancellation
)

// ToolCallEvent says that a tool call is new or has moved on. Fields that are
// left out are as they were.
type ToolCallEvent struct {
	ToolCallID string             `json:"toolCallId"`
	Tool       string             `json:"tool"`
	Status     ToolStatus         `json:"status"`
	Title      string             `json:"title,omitempty"`
	Kind       tools.Kind         `json:"kind,omitempty"`
	Level      tools.Level        `json:"level,omitempty"`
	Input      json.RawMessage    `json:"input,omitempty"` // the arguments as the model sent them
	Locations  []tools.Location   `json:"locations,omitempty"`
	Text       string             `json:"text,omitempty"` // the result as the model reads it
	Error      *tools.Error       `json:"error,omitempty"`
	Changes    []tools.FileChange `json:"changes,omitempty"`
	Stats      *tools.ResultStats `json:"stats,omitempty"`
}

// ToolOutputDelta is a piece of a running tool's live output.
type ToolOutputDelta struct {
	ToolCallID string `json:"toolCallId"`
	Text       string `json:"text"`
}

// PlanEvent is the agent's whole plan, in place of the one before.
type PlanEvent struct {
	Entries []PlanEntry `json:"entries"`
}

// PlanEntry is one step of a plan; the words are ACP's.
type PlanEntry struct {
	Content  string `json:"content"`
	Priority string `json:"priority" jsonschema:"enum=high,enum=medium,enum=low"`
	Status   string `json:"status" jsonschema:"enum=pending,enum=in_progress,enum=completed"`
}

// UsageEvent counts the tokens of the last request and of the session.
type UsageEvent struct {
	Request model.Usage `json:"request"`
	Session model.Usage `json:"session"`
}

// State is what a session is doing.
type State string

// States of a session.
const (
	Running State = "running"
	Waiting State = "waiting" // for the person
	Idle    State = "idle"
)

// StateEvent says that the session's state has changed.
type StateEvent struct {
	State State `json:"state"`
}

// NoticeEvent is something that the person should know.
type NoticeEvent struct {
	Level   string `json:"level" jsonschema:"enum=info,enum=warning,enum=error"`
	Kind    string `json:"kind"` // e.g. "retry", "stale_files", "tool_disabled"
	Message string `json:"message"`
	// VoidMessageID names a reply whose text is void: it is asked for again.
	VoidMessageID string `json:"voidMessageId,omitempty"`
}

// CommandsEvent lists the slash commands of the session.
type CommandsEvent struct {
	Commands []SlashCommand `json:"commands"`
}

// SlashCommand is a command that the person types in the prompt.
type SlashCommand struct {
	Name        string `json:"name"` // without the slash
	Description string `json:"description"`
	Input       string `json:"input,omitempty"` // what may follow, as a hint
}

// EventType names the event on the wire.
func (MessageDelta) EventType() string    { return "message_delta" }
func (ThoughtDelta) EventType() string    { return "thought_delta" }
func (ToolCallEvent) EventType() string   { return "tool_call" }
func (ToolOutputDelta) EventType() string { return "tool_output_delta" }
func (PlanEvent) EventType() string       { return "plan" }
func (UsageEvent) EventType() string      { return "usage" }
func (StateEvent) EventType() string      { return "state" }
func (NoticeEvent) EventType() string     { return "notice" }
func (CommandsEvent) EventType() string   { return "commands" }

// Events lists one value of each type, for schemas and tests.
func Events() []Event {
	return []Event{MessageDelta{}, ThoughtDelta{}, ToolCallEvent{}, ToolOutputDelta{}, PlanEvent{}, UsageEvent{}, StateEvent{}, NoticeEvent{}, CommandsEvent{}}
}
