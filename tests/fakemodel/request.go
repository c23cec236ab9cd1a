package fakemodel

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Request is a request that the server got.
type Request struct {
	Header http.Header
	Body   []byte

	Model string
	// System is the text of the system or developer messages.
	System string
	// Messages are the other messages.
	Messages []Message
	Tools    []Tool
	// Images is the number of image parts.
	Images int

	stream       bool
	includeUsage bool
	after        time.Duration // since the last request of the conversation
}

// Message is a message of a request; content parts are joined, an image part
// being its URL.
type Message struct {
	Role       string
	Content    string
	Reasoning  string
	ToolCalls  []ToolCall
	ToolCallID string
}

// ToolCall is a call in an assistant message.
type ToolCall struct{ ID, Name, Arguments string }

// Tool is a tool that the request offers.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage
}

// Last is the text after the last assistant message: what the user or the
// tools answered.
func (r *Request) Last() string {
	var s []string
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			s = nil
			continue
		}
		s = append(s, m.Content)
	}
	return strings.Join(s, "\n")
}

// first is the text before the first assistant message.
func (r *Request) first() string {
	var s []string
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			break
		}
		s = append(s, m.Content)
	}
	return strings.Join(s, "\n")
}

// wire is the JSON of a request, as far as it is looked at.
type wire struct {
	Model         string            `json:"model"`
	Stream        bool              `json:"stream"`
	StreamOptions *streamOptions    `json:"stream_options"`
	Messages      []json.RawMessage `json:"messages"`
	Tools         []wireTool        `json:"tools"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Reasoning  *string         `json:"reasoning_content"`
	ToolCalls  []wireCall      `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// readRequest decodes a body.
func readRequest(header http.Header, body []byte) (*Request, *wire, []wireMessage, error) {
	r := &Request{Header: header, Body: body}
	w := &wire{}
	if err := json.Unmarshal(body, w); err != nil {
		return r, w, nil, err
	}
	r.Model, r.stream = w.Model, w.Stream
	r.includeUsage = w.StreamOptions != nil && w.StreamOptions.IncludeUsage
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, Tool{t.Function.Name, t.Function.Description, t.Function.Parameters})
	}
	messages := make([]wireMessage, len(w.Messages))
	for i, raw := range w.Messages {
		wm := &messages[i]
		if err := json.Unmarshal(raw, wm); err != nil {
			return r, w, nil, err
		}
		text, images := contentText(wm.Content)
		r.Images += images
		if wm.Role == "system" || wm.Role == "developer" {
			r.System += text
			continue
		}
		m := Message{Role: wm.Role, Content: text, ToolCallID: wm.ToolCallID}
		if wm.Reasoning != nil {
			m.Reasoning = *wm.Reasoning
		}
		for _, c := range wm.ToolCalls {
			m.ToolCalls = append(m.ToolCalls, ToolCall{c.ID, c.Function.Name, c.Function.Arguments})
		}
		r.Messages = append(r.Messages, m)
	}
	return r, w, messages, nil
}

// contentText is the text of a content, a string or parts, and the number of
// its images.
func contentText(raw json.RawMessage) (s string, images int) {
	if json.Unmarshal(raw, &s) == nil {
		return s, 0
	}
	var parts []struct {
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	_ = json.Unmarshal(raw, &parts)
	for _, p := range parts {
		s += p.Text + p.ImageURL.URL
		if p.ImageURL.URL != "" {
			images++
		}
	}
	return s, images
}
