package mcp

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// mostPrompt bounds the text of a prompt or a resource, in bytes.
	mostPrompt = 256 << 10
	// mostImages bounds the images of a prompt.
	mostImages = 4
)

// Piece is a piece of what a prompt or a resource holds: text, or an image.
type Piece struct {
	Text     string
	MimeType string // of an image
	Data     string // of an image, base64
}

// Prompts lists the prompts of the servers that run.
func (s *Set) Prompts() []Prompt {
	var out []Prompt
	for _, srv := range s.list() {
		srv.mu.Lock()
		out = append(out, srv.prompts...)
		srv.mu.Unlock()
	}
	return out
}

// Usage says what may follow the command.
func (p *Prompt) Usage() string {
	words := slices.Clone(p.Arguments)
	for i := range words {
		if i >= p.Required {
			words[i] = "[" + words[i] + "]"
		}
	}
	return strings.Join(words, " ")
}

// Get asks the server for the prompt. The words of args are its arguments in
// their order, the last one takes all that is left; name=value gives one by name.
func (p *Prompt) Get(ctx context.Context, args string) ([]Piece, error) {
	values, err := p.values(args)
	if err != nil {
		return nil, err
	}
	l, err := p.server.ready(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.server.cfg.timeout())
	defer cancel()
	r, err := l.session.GetPrompt(ctx, &sdk.GetPromptParams{Name: p.name, Arguments: values})
	if err != nil {
		return nil, fmt.Errorf("the MCP server %s: %w", shown(p.server.cfg.Name), err)
	}
	var out []Piece
	room, images := mostPrompt, 0
	for _, m := range r.Messages {
		if m == nil || m.Content == nil {
			continue
		}
		if img, ok := m.Content.(*sdk.ImageContent); ok && images < mostImages {
			if mime := imageType(img); mime != "" {
				images++
				out = append(out, Piece{MimeType: mime, Data: base64.StdEncoding.EncodeToString(img.Data)})
				continue
			}
		}
		text, _ := contentText(m.Content)
		if m.Role == "assistant" {
			text = "[You have answered:]\n" + text
		}
		text = cut(text, room)
		room -= len(text)
		if text != "" {
			out = append(out, Piece{Text: text})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the prompt %s of the MCP server %s is empty", shown(p.name), shown(p.server.cfg.Name))
	}
	return out, nil
}

func (p *Prompt) values(args string) (map[string]string, error) {
	values := map[string]string{}
	rest := strings.TrimSpace(args)
	for rest != "" {
		word, after, _ := strings.Cut(rest, " ")
		if name, value, ok := strings.Cut(word, "="); ok && slices.Contains(p.Arguments, name) {
			values[name], rest = value, strings.TrimSpace(after)
			continue
		}
		next, left := "", 0
		for _, a := range p.Arguments {
			if _, has := values[a]; !has {
				if next == "" {
					next = a
				}
				left++
			}
		}
		switch {
		case next == "":
			return nil, fmt.Errorf("/%s takes no %q; it takes: %s", p.Command, rest, p.Usage())
		case left == 1:
			values[next], rest = rest, ""
		default:
			values[next], rest = word, strings.TrimSpace(after)
		}
	}
	for _, a := range p.Arguments[:p.Required] {
		if values[a] == "" {
			return nil, fmt.Errorf("/%s needs %s", p.Command, p.Usage())
		}
	}
	return values, nil
}

// Offers reports whether one of the servers has listed a resource.
func (s *Set) Offers(uri string) bool { return s.offering(uri) != nil }

// offering finds the server that has listed a resource, nil if none has.
func (s *Set) offering(uri string) *Server {
	for _, srv := range s.list() {
		srv.mu.Lock()
		has := slices.ContainsFunc(srv.resource, func(r ServerResource) bool { return r.URI == uri })
		srv.mu.Unlock()
		if has {
			return srv
		}
	}
	return nil
}

// Read reads a resource that one of the servers has listed. ok is false if none
// has.
func (s *Set) Read(ctx context.Context, uri string) (text string, ok bool, err error) {
	srv := s.offering(uri)
	if srv == nil {
		return "", false, nil
	}
	l, err := srv.ready(ctx)
	if err != nil {
		return "", true, err
	}
	ctx, cancel := context.WithTimeout(ctx, srv.cfg.timeout())
	defer cancel()
	r, err := l.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", true, fmt.Errorf("the MCP server %s: %w", shown(srv.cfg.Name), err)
	}
	var parts []string
	for _, c := range r.Contents {
		if c != nil {
			parts = append(parts, resourceText(c))
		}
	}
	return cut(strings.Join(parts, "\n"), mostPrompt), true, nil
}

// cut shortens a text to at most so many bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:max(most, 0)], "") + "\n[The rest is left out.]"
}
