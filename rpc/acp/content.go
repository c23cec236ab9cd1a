package acp

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// contentBlock is a piece of a prompt, or of what is shown.
type contentBlock struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	URI      string    `json:"uri,omitempty"`
	Name     string    `json:"name,omitempty"`
	MimeType string    `json:"mimeType,omitempty"`
	Data     string    `json:"data,omitempty"`
	Resource *resource `json:"resource,omitempty"`
}

// resource is the content of an embedded one: a text or, in base64, bytes.
type resource struct {
	URI      string  `json:"uri"`
	MimeType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitempty"`
	Blob     *string `json:"blob,omitempty"`
}

// textBlock is a text; the field is there also when it is empty.
type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func text(s string) textBlock { return textBlock{"text", s} }

// promptBlocks makes the agent's blocks of a prompt.
func promptBlocks(prompt []contentBlock) ([]agent.ContentBlock, error) {
	out := make([]agent.ContentBlock, 0, len(prompt))
	for i, b := range prompt {
		a := agent.ContentBlock{Type: b.Type, Text: b.Text, URI: b.URI, Name: b.Name, MimeType: b.MimeType, Data: b.Data}
		switch b.Type {
		case "text", "image", "resource_link":
			a.Resource = nil
		case "resource":
			if b.Resource == nil {
				return nil, wire.InvalidParams("params.prompt[%d]: a resource block needs a resource", i)
			}
			var err error
			if a, err = embedded(b.Resource); err != nil {
				return nil, wire.InvalidParams("params.prompt[%d]: %v", i, err)
			}
		case "audio":
			return nil, wire.InvalidParams("params.prompt[%d]: agentd takes no audio; promptCapabilities says so", i)
		default:
			return nil, wire.InvalidParams("params.prompt[%d]: unknown type %q", i, b.Type)
		}
		out = append(out, a)
	}
	return out, nil
}

// embedded makes a block of an embedded resource: bytes that are an image become
// one, other bytes a text if they are one.
func embedded(r *resource) (agent.ContentBlock, error) {
	if r.Text != nil {
		return agent.ContentBlock{Type: "resource", Resource: &agent.Resource{URI: r.URI, MimeType: r.MimeType, Text: *r.Text}}, nil
	}
	if r.Blob == nil {
		return agent.ContentBlock{}, fmt.Errorf("the resource has neither text nor blob")
	}
	if strings.HasPrefix(r.MimeType, "image/") {
		return agent.ContentBlock{Type: "image", MimeType: r.MimeType, Data: *r.Blob}, nil
	}
	b, err := base64.StdEncoding.DecodeString(*r.Blob)
	if err != nil {
		return agent.ContentBlock{}, fmt.Errorf("the blob is no base64: %w", err)
	}
	if !utf8.Valid(b) || strings.ContainsRune(string(b), 0) {
		return agent.ContentBlock{Type: "resource_link", URI: r.URI, Name: r.URI}, nil // the model is told that it is there
	}
	return agent.ContentBlock{Type: "resource", Resource: &agent.Resource{URI: r.URI, MimeType: r.MimeType, Text: string(b)}}, nil
}

// shownBlock makes ACP's block of one that the person has sent before, for a
// replay. What was too large to be kept is named.
func shownBlock(b agent.ContentBlock) any {
	switch b.Type {
	case "text":
		return text(b.Text)
	case "resource_link":
		name := b.Name
		if name == "" {
			name = b.URI
		}
		return contentBlock{Type: "resource_link", URI: b.URI, Name: name, MimeType: b.MimeType}
	case "resource":
		if b.Resource != nil && b.Resource.Text != "" {
			return contentBlock{Type: "resource", Resource: &resource{URI: b.Resource.URI, MimeType: b.Resource.MimeType, Text: &b.Resource.Text}}
		}
		if b.Resource != nil {
			return contentBlock{Type: "resource_link", URI: b.Resource.URI, Name: b.Resource.URI}
		}
	case "image":
		if b.Data != "" {
			return contentBlock{Type: "image", MimeType: b.MimeType, Data: b.Data}
		}
		return text("[image]")
	}
	return text("[" + b.Type + "]")
}

// fenced puts a text into a Markdown code block that it cannot break out of.
func fenced(s, language string) string {
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + language + "\n" + strings.TrimSuffix(s, "\n") + "\n" + fence
}
