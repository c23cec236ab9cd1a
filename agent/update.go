package agent

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
)

// Update is one thing that happened in a session, as the client is told it.
// Seq grows by at least one from update to update of a session.
type Update struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId,omitempty"`
	Seq       int64  `json:"seq"`
	// ParentCallID is the tool call that has started the subagent whose event
	// this is; "" for the session's own.
	ParentCallID string `json:"parentToolCallId,omitempty"`
	Update       Event  `json:"update"`
}

// MarshalJSON puts the event's type before its own fields.
func (u Update) MarshalJSON() ([]byte, error) {
	event, err := EncodeEvent(u.Update)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		SessionID string          `json:"sessionId"`
		TurnID    string          `json:"turnId,omitempty"`
		Seq       int64           `json:"seq"`
		Parent    string          `json:"parentToolCallId,omitempty"`
		Update    json.RawMessage `json:"update"`
	}{u.SessionID, u.TurnID, u.Seq, u.ParentCallID, event})
}

// EncodeEvent writes an event with its type.
func EncodeEvent(e Event) (json.RawMessage, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	b := fmt.Appendf(nil, `{"type":%q`, e.EventType())
	if len(body) > 2 {
		b = append(b, ',')
	}
	return append(b, body[1:]...), nil
}

// DecodeEvent reads what EncodeEvent has written; nil for a type that there is
// not any more.
func DecodeEvent(b json.RawMessage) (Event, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b, &kind); err != nil {
		return nil, err
	}
	for _, e := range Events() {
		if e.EventType() != kind.Type {
			continue
		}
		p := reflect.New(reflect.TypeOf(e))
		if err := json.Unmarshal(b, p.Interface()); err != nil {
			return nil, err
		}
		return p.Elem().Interface().(Event), nil
	}
	return nil, nil
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
	Entries []tools.Step `json:"entries"`
}

// UsageEvent counts the tokens of the last request, of its turn and of the
// session.
type UsageEvent struct {
	Model   string      `json:"model"`
	Request model.Usage `json:"request"`
	Turn    model.Usage `json:"turn"`
	Session model.Usage `json:"session"`
	// ContextTokens is about what the next request will have at least, and
	// ContextWindow what the model has room for.
	ContextTokens int `json:"contextTokens,omitempty"`
	ContextWindow int `json:"contextWindow,omitempty"`
	// Cost is there if the user's price table has a price for any request.
	Cost *Cost `json:"cost,omitempty"`
	// Unpriced says that there is no price for this request.
	Unpriced bool `json:"unpriced,omitempty"`
}

// ConfigEvent says which mode and model the session has now, and how much the
// model is to think.
type ConfigEvent struct {
	Mode   Mode   `json:"mode"`
	Model  string `json:"model"`
	Effort Effort `json:"effort,omitempty"`
}

// State is what a session is doing.
type State string

// States of a session.
const (
	Running State = "running"
	Waiting State = "waiting" // for the person
	Idle    State = "idle"
)

// StateEvent says that the session's state has changed. The one that ends a turn
// says how it ended, as the prompt's result does.
type StateEvent struct {
	State      State      `json:"state"`
	StopReason StopReason `json:"stopReason,omitempty"`
	Error      *TurnError `json:"error,omitempty"`
}

// NoticeEvent is something that the person should know.
type NoticeEvent struct {
	Level   string `json:"level" jsonschema:"enum=info,enum=warning,enum=error"`
	Kind    string `json:"kind"` // e.g. "retry", "stale_files", "tool_disabled"
	Message string `json:"message"`
	// VoidMessageID names a reply whose text is void: it is asked for again.
	VoidMessageID string `json:"voidMessageId,omitempty"`
}

// UserMessage is what the person has sent: a prompt, or a message into a running
// turn. The data of images and the text of long attachments are left out.
type UserMessage struct {
	MessageID string         `json:"messageId"`
	Content   []ContentBlock `json:"content"`
}

// SessionInfoEvent says what a session is called.
type SessionInfoEvent struct {
	Title string `json:"title"`
}

// CommandsEvent lists the slash commands of the session.
type CommandsEvent struct {
	Commands []SlashCommand `json:"commands"`
}

// ServersEvent says how the MCP servers of the session are.
type ServersEvent struct {
	Servers []mcp.ServerStatus `json:"servers"`
}

// TeamEvent lists the members of the session's team, the lead not among them.
type TeamEvent struct {
	Members []tools.Member `json:"members"`
}

// SlashCommand is a command that the person types in the prompt.
type SlashCommand struct {
	Name        string `json:"name"` // without the slash
	Description string `json:"description"`
	Input       string `json:"input,omitempty"` // what may follow, as a hint
}

// EventType names the event on the wire.
func (MessageDelta) EventType() string     { return "message_delta" }
func (ThoughtDelta) EventType() string     { return "thought_delta" }
func (ToolCallEvent) EventType() string    { return "tool_call" }
func (ToolOutputDelta) EventType() string  { return "tool_output_delta" }
func (PlanEvent) EventType() string        { return "plan" }
func (UsageEvent) EventType() string       { return "usage" }
func (StateEvent) EventType() string       { return "state" }
func (NoticeEvent) EventType() string      { return "notice" }
func (CommandsEvent) EventType() string    { return "commands" }
func (ServersEvent) EventType() string     { return "mcp_servers" }
func (TeamEvent) EventType() string        { return "team" }
func (ConfigEvent) EventType() string      { return "config" }
func (UserMessage) EventType() string      { return "user_message" }
func (SessionInfoEvent) EventType() string { return "session_info" }

// Events lists one value of each type, for schemas and tests.
func Events() []Event {
	return []Event{MessageDelta{}, ThoughtDelta{}, ToolCallEvent{}, ToolOutputDelta{}, PlanEvent{}, UsageEvent{}, StateEvent{}, NoticeEvent{}, CommandsEvent{}, UserMessage{}, SessionInfoEvent{}, ConfigEvent{}, ServersEvent{}, TeamEvent{}}
}
