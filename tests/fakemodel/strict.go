package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// messageFields are the fields that a message may have.
var messageFields = map[string]bool{
	"role": true, "content": true, "name": true, "tool_calls": true,
	"tool_call_id": true, "reasoning_content": true, "refusal": true,
}

// violation says what a strict server would refuse in a request, or "".
func (s settings) violation(body []byte, w *wire, messages []wireMessage) string {
	if !utf8.Valid(body) {
		return "the body is not UTF-8"
	}
	var top map[string]json.RawMessage
	_ = json.Unmarshal(body, &top)
	switch {
	case w.Model == "":
		return "no model"
	case len(messages) == 0:
		return "no messages"
	case !w.Stream && w.StreamOptions != nil:
		return "stream_options without stream"
	case len(w.Tools) == 0 && top["tools"] != nil:
		return "tools is empty"
	case len(w.Tools) == 0 && (top["tool_choice"] != nil || top["parallel_tool_calls"] != nil):
		return "tool_choice or parallel_tool_calls without tools"
	case top["max_tokens"] != nil && top["max_completion_tokens"] != nil:
		return "both max_tokens and max_completion_tokens"
	}
	if v := toolsViolation(w.Tools); v != "" {
		return v
	}
	for i, m := range messages {
		if v := s.messageViolation(w.Messages[i], m, i); v != "" {
			return fmt.Sprintf("messages[%d]: %s", i, v)
		}
	}
	return pairingViolation(messages)
}

func toolsViolation(tools []wireTool) string {
	seen := map[string]bool{}
	for _, t := range tools {
		f := t.Function
		var schema struct {
			Type       string                     `json:"type"`
			Properties map[string]json.RawMessage `json:"properties"`
			Required   []string                   `json:"required"`
		}
		switch {
		case t.Type != "function":
			return fmt.Sprintf("tool %q: type %q", f.Name, t.Type)
		case !validName.MatchString(f.Name):
			return fmt.Sprintf("tool name %q", f.Name)
		case seen[f.Name]:
			return fmt.Sprintf("tool %q twice", f.Name)
		case json.Unmarshal(f.Parameters, &schema) != nil || schema.Type != "object" || schema.Properties == nil:
			return fmt.Sprintf("tool %q: parameters must be an object schema with properties", f.Name)
		}
		for _, r := range schema.Required {
			if schema.Properties[r] == nil {
				return fmt.Sprintf("tool %q: required %q is no property", f.Name, r)
			}
		}
		seen[f.Name] = true
	}
	return ""
}

func (s settings) messageViolation(raw json.RawMessage, m wireMessage, i int) string {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields)
	for k := range fields {
		if !messageFields[k] {
			return fmt.Sprintf("unknown field %q", k)
		}
	}
	absent := len(m.Content) == 0 || string(m.Content) == "null"
	empty := absent || string(m.Content) == `""` || string(m.Content) == `[]`
	isString := len(m.Content) > 0 && m.Content[0] == '"'
	if !absent && !isString && m.Content[0] != '[' {
		return "content must be a string, null or an array"
	}
	if s.content == "string" && !isString && !(m.Role == "user" && !absent) {
		return "content must be a string"
	}
	switch m.Role {
	case "system", "developer":
		if i != 0 {
			return "the system prompt is not the first message"
		}
	case "user":
		if empty {
			return "empty user message"
		}
	case "tool":
		if absent {
			return "a tool message needs content"
		}
	case "assistant":
		if len(m.ToolCalls) == 0 && (empty || fields["tool_calls"] != nil) {
			return "an assistant message needs content or tool calls"
		}
		if s.content == "null" && empty && !absent {
			return "content must be null where it is empty"
		}
		return callsViolation(m.ToolCalls)
	default:
		return fmt.Sprintf("role %q", m.Role)
	}
	if m.Role != "assistant" && (m.Reasoning != nil || len(m.ToolCalls) > 0) {
		return m.Role + " message with reasoning_content or tool_calls"
	}
	return ""
}

// reasoningViolation checks what providers that think differ about. It is no
// fault of the client: a client may find out.
func (s settings) reasoningViolation(messages []wireMessage) string {
	for i, m := range messages {
		switch {
		case s.reasoning == "rejected" && m.Reasoning != nil:
			return fmt.Sprintf("messages[%d]: unknown field reasoning_content", i)
		case s.reasoning == "required" && m.Reasoning == nil && len(m.ToolCalls) > 0:
			return fmt.Sprintf("messages[%d]: reasoning_content is missing in a message with tool calls", i)
		}
	}
	return ""
}

func callsViolation(calls []wireCall) string {
	for _, c := range calls {
		args := []byte(strings.TrimSpace(c.Function.Arguments))
		switch {
		case c.Type != "function":
			return fmt.Sprintf("tool call %q: type %q", c.ID, c.Type)
		case !validName.MatchString(c.Function.Name):
			return fmt.Sprintf("tool call %q: name %q", c.ID, c.Function.Name)
		case !json.Valid(args) || !bytes.HasPrefix(args, []byte("{")):
			return fmt.Sprintf("tool call %q: arguments are no JSON object: %s", c.ID, shorten(c.Function.Arguments))
		}
	}
	return ""
}

// pairingViolation checks that every call is answered exactly once, right
// after its message, and that nothing else is answered.
func pairingViolation(messages []wireMessage) string {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return fmt.Sprintf("messages[%d]: tool message for %q, which is no open call", i, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			continue
		}
		for id := range open {
			return fmt.Sprintf("messages[%d]: call %q has no tool message right after it", i, id)
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || open[c.ID] {
				return fmt.Sprintf("messages[%d]: call id %q is empty or twice", i, c.ID)
			}
			open[c.ID] = true
		}
	}
	for id := range open {
		return fmt.Sprintf("call %q has no tool message", id)
	}
	return ""
}
