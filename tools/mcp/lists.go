package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// mostPages bounds the pages of a list, mostTools, mostPrompts and
	// mostResources what is taken from it.
	mostPages     = 100
	mostTools     = 500
	mostPrompts   = 200
	mostResources = 1000
)

// Prompt is a prompt that a server offers: the person has it as a slash command.
type Prompt struct {
	Command     string // the name of the slash command
	Description string
	Arguments   []string // the names, those that are required first
	Required    int      // how many are
	name        string
	server      *Server
}

// ServerResource is something that a server offers for reading.
type ServerResource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	MimeType    string `json:"mimeType,omitempty"`
}

// list asks for the server's lists: for all, or for those that have changed. Tools
// that cannot be had are an error, the other lists are not worth one at the start.
func (s *Server) list(ctx context.Context, l *link, all, starting bool) error {
	select {
	case s.listing <- struct{}{}:
		defer func() { <-s.listing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	caps := l.session.InitializeResult().Capabilities
	if caps == nil {
		caps = &sdk.ServerCapabilities{}
	}
	if changed := l.toolsChanged.Load(); (changed != l.toolsListed.Load() || all) && caps.Tools != nil {
		err := s.listTools(ctx, l)
		l.toolsListed.Store(changed)
		if err != nil {
			return fmt.Errorf("tools/list: %w", err)
		}
	}
	changed := l.othersChanged.Load()
	if changed == l.othersListed.Load() && !all {
		return nil
	}
	err := s.listOthers(ctx, l, caps)
	l.othersListed.Store(changed)
	if err != nil && starting && ctx.Err() == nil {
		s.warn(err.Error())
		return nil
	}
	return err
}

// paged asks for the pages of a list until there is none left.
func paged[T any](most int, page func(cursor string) (items []T, next string, err error)) (all []T, err error) {
	cursor := ""
	seen := map[string]bool{}
	for range mostPages {
		items, next, err := page(cursor)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
		// A cursor that comes again would never end.
		if next == "" || seen[next] || len(all) >= most {
			break
		}
		seen[next] = true
		cursor = next
	}
	return all[:min(len(all), most)], nil
}

func (s *Server) listTools(ctx context.Context, l *link) error {
	list, err := paged(mostTools+1, func(cursor string) ([]*sdk.Tool, string, error) {
		r, err := l.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return r.Tools, r.NextCursor, nil
	})
	if err != nil {
		return err
	}
	var out []*tools.Tool
	var warnings []string
	if len(list) > mostTools {
		list = list[:mostTools]
		warnings = append(warnings, fmt.Sprintf("it has more than %d tools; the rest is left out", mostTools))
	}
	taken := map[string]bool{}
	for _, t := range list {
		if t == nil {
			continue
		}
		made, err := s.tool(t)
		switch {
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("the tool %q is left out: %v", shown(t.Name), err))
		case taken[made.Name]:
			warnings = append(warnings, fmt.Sprintf("the tool %q is left out: there is one of that name already", shown(t.Name)))
		default:
			taken[made.Name] = true
			out = append(out, made)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools, s.warnings = out, nil
	for _, w := range warnings {
		s.addWarning(w)
	}
	return nil
}

// shown makes a word of a server's fit for a message: short, on one line, and
// without what a screen obeys.
func shown(s string) string {
	r := []rune(tools.OneLine(s))
	if len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return string(r)
}

// mostURI bounds the URI of a resource, in bytes.
const mostURI = 2000

// named reports whether a URI can name a resource: a path would stand for what a
// person means by it.
func named(uri string) bool {
	scheme, _, ok := strings.Cut(uri, ":")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/.@") && len(uri) <= mostURI && tools.OneLine(uri) == uri
}

func (s *Server) listOthers(ctx context.Context, l *link, caps *sdk.ServerCapabilities) error {
	if caps.Prompts != nil {
		list, err := paged(mostPrompts, func(cursor string) ([]*sdk.Prompt, string, error) {
			r, err := l.session.ListPrompts(ctx, &sdk.ListPromptsParams{Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return r.Prompts, r.NextCursor, nil
		})
		if err != nil {
			return fmt.Errorf("prompts/list: %w", err)
		}
		var out []Prompt
		for _, p := range list {
			if p != nil && !slices.ContainsFunc(out, func(o Prompt) bool { return o.name == p.Name }) {
				out = append(out, s.prompt(p))
			}
		}
		s.mu.Lock()
		s.prompts = out
		s.mu.Unlock()
	}
	if caps.Resources != nil {
		list, err := paged(mostResources, func(cursor string) ([]*sdk.Resource, string, error) {
			r, err := l.session.ListResources(ctx, &sdk.ListResourcesParams{Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return r.Resources, r.NextCursor, nil
		})
		if err != nil {
			return fmt.Errorf("resources/list: %w", err)
		}
		var out []ServerResource
		for _, r := range list {
			if r != nil && named(r.URI) {
				out = append(out, ServerResource{URI: r.URI, Name: shown(r.Name), Description: shown(r.Description), MimeType: shown(r.MIMEType)})
			}
		}
		s.mu.Lock()
		s.resource = out
		s.mu.Unlock()
	}
	return nil
}

func (s *Server) prompt(p *sdk.Prompt) Prompt {
	out := Prompt{Command: toolName(s.cfg.Name, p.Name), Description: shown(p.Description), name: p.Name, server: s}
	args := slices.DeleteFunc(slices.Clone(p.Arguments), func(a *sdk.PromptArgument) bool { return a == nil })
	slices.SortStableFunc(args, func(a, b *sdk.PromptArgument) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	for _, a := range args {
		out.Arguments = append(out.Arguments, a.Name)
		if a.Required {
			out.Required++
		}
	}
	return out
}

// schemaOf is the schema of a tool as it came.
func schemaOf(t *sdk.Tool) (json.RawMessage, error) {
	if t.InputSchema == nil {
		return nil, nil
	}
	return json.Marshal(t.InputSchema)
}
