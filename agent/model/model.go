// Package model is the model behind one small interface: a request goes in, a
// stream of events comes out. Implementations are the OpenAI-compatible client
// (package openai) and the replay of a recorded session (Replay).
package model

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"sync/atomic"
)

// Model answers requests. It is safe for concurrent use.
type Model interface {
	// Stream sends req and yields the reply's events as they arrive.
	//
	// A stream ends in one of two ways: a Finish event as its last event, or
	// one non-nil error (a *Error) as its last pair. Breaking out of the loop
	// or cancelling ctx closes the connection. Stream never retries: the agent
	// does, because it must void what the user has already seen.
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
	// Name is what the user calls the model, e.g. "gpt-5" or "replay:demo".
	Name() string
}

// Request is one call to the model. Messages are shared between requests and
// must not be changed once they have been sent: implementations cache their
// encoded form (see Message.Cached).
type Request struct {
	System   string
	Messages []*Message
	Tools    []Tool
	// MaxTokens bounds the reply; 0 leaves it to the server.
	MaxTokens int
	// Effort is how much the model is to think: "low", "medium", "high"; ""
	// leaves it to the server.
	Effort string
}

// Role says who speaks in a Message.
type Role string

// The roles of a conversation. The system prompt is Request.System.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of the history, in the shape of OpenAI's chat
// completions: an assistant message with ToolCalls is followed by exactly one
// tool message for each of its call ids.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts,omitempty"`
	// Reasoning is the model's own thinking; some providers want it back.
	Reasoning string     `json:"reasoning,omitempty"`
	ToolCalls []ToolCall `json:"toolCalls,omitempty"`
	// ToolCallID says which call a tool message answers.
	ToolCallID string `json:"toolCallId,omitempty"`
	// Denied says that a person or a rule refused the call that a tool message
	// answers. Servers are not told; the text says it to the model.
	Denied bool `json:"denied,omitempty"`

	cached atomic.Pointer[Wire]
}

// Text joins the text parts of the message.
func (m *Message) Text() string {
	if len(m.Parts) == 1 {
		return m.Parts[0].Text
	}
	var s string
	for _, p := range m.Parts {
		s += p.Text
	}
	return s
}

// HasImages reports whether the message holds an image.
func (m *Message) HasImages() bool {
	return slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Image != "" })
}

// Wire is a message as it is sent.
type Wire struct {
	// JSON is the message; nil if it says nothing that a server would accept.
	JSON []byte
	// Images is a message for the images of a tool's result, nil if it has
	// none: it must follow the run of tool messages, which cannot hold images.
	Images []byte

	form string
}

// Cached returns the message's wire form, made by encode on first use. A
// history is sent many times: encoding each message once keeps a long session
// cheap and its prefix byte-identical from one request to the next. form names
// what encode makes: a session that changes to a server with another form
// encodes anew.
func (m *Message) Cached(form string, encode func(*Message) (Wire, error)) (Wire, error) {
	if w := m.cached.Load(); w != nil && w.form == form {
		return *w, nil
	}
	w, err := encode(m)
	if err != nil {
		return Wire{}, err
	}
	w.form = form
	m.cached.Store(&w)
	return w, nil
}

// Part is a piece of a message's content: text, or an image as a data URL.
type Part struct {
	Text  string `json:"text,omitempty"`
	Image string `json:"image,omitempty"`
}

// TextMessage makes a message with one text part.
func TextMessage(role Role, text string) *Message {
	return &Message{Role: role, Parts: []Part{{Text: text}}}
}

// ToolCall is a call that the model asks for. Arguments is the text that the
// model sent, which may be anything at all: it is checked by package tools.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool is what the model is told about a tool.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// Event is a step of a reply: one of TextDelta, ThoughtDelta, Notice and Finish.
type Event interface{ event() }

// TextDelta is a piece of the answer's text.
type TextDelta struct{ Text string }

// ThoughtDelta is a piece of the model's reasoning.
type ThoughtDelta struct{ Text string }

// Notice is something that the person should know of the request. Kind is a
// word for programs.
type Notice struct{ Kind, Text string }

// Finish is the last event of a reply: the whole assistant message.
type Finish struct {
	Message *Message
	Reason  FinishReason
	// RawReason is the server's own word for Reason, "" if it gave none.
	RawReason string
	Usage     *Usage // nil when the server gave none
}

func (TextDelta) event()    {}
func (ThoughtDelta) event() {}
func (Notice) event()       {}
func (Finish) event()       {}

// FinishReason says why the model stopped.
type FinishReason string

// Finish reasons. A reply with complete tool calls counts as FinishToolCalls
// whatever the server said; what is not known is FinishOther.
const (
	FinishStop      FinishReason = "stop"
	FinishToolCalls FinishReason = "tool_calls"
	FinishLength    FinishReason = "length"
	FinishFilter    FinishReason = "content_filter"
	FinishOther     FinishReason = "other"
)

// Usage counts tokens, as the server reports them.
type Usage struct {
	InputTokens  int `json:"inputTokens"`
	OutputTokens int `json:"outputTokens"`
	// CachedTokens is the part of InputTokens that the provider had cached.
	CachedTokens int `json:"cachedTokens,omitempty"`
	// ReasoningTokens is the part of OutputTokens spent on thinking.
	ReasoningTokens int `json:"reasoningTokens,omitempty"`
	// Estimated says that the server gave no numbers: these are a guess, at
	// least in part.
	Estimated bool `json:"estimated,omitempty"`
}

// Add sums u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:     u.InputTokens + v.InputTokens,
		OutputTokens:    u.OutputTokens + v.OutputTokens,
		CachedTokens:    u.CachedTokens + v.CachedTokens,
		ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
		Estimated:       u.Estimated || v.Estimated,
	}
}
