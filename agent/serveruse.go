package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/tools/mcp"
)

// serverPrompts are the prompts of MCP servers as slash commands.
func (s *Session) serverPrompts() []mcp.Prompt {
	if s.servers.set == nil {
		return nil
	}
	return s.servers.set.Prompts()
}

// expandPrompt puts what an MCP server has for a prompt in the place of its
// command.
func (s *Session) expandPrompt(ctx context.Context, blocks []ContentBlock) ([]ContentBlock, error) {
	if len(blocks) == 0 || blocks[0].Type != "text" || !strings.HasPrefix(blocks[0].Text, "/"+mcp.Prefix) {
		return blocks, nil
	}
	name, args := commandLine(blocks[0].Text)
	for _, p := range s.serverPrompts() {
		if p.Command != name {
			continue
		}
		pieces, err := p.Get(ctx, args)
		if err != nil {
			return nil, &Error{Kind: ErrInvalid, Message: s.agent.cfg.Redactor.Text(err.Error()), Err: err}
		}
		var out []ContentBlock
		for _, piece := range pieces {
			if piece.Data != "" {
				out = append(out, ContentBlock{Type: "image", MimeType: piece.MimeType, Data: piece.Data})
			} else {
				out = append(out, ContentBlock{Type: "text", Text: s.agent.cfg.Redactor.Text(piece.Text), foreign: true})
			}
		}
		return append(out, blocks[1:]...), nil
	}
	return blocks, nil
}

// serverResource reads a resource that the person has mentioned, if a server has
// it.
func (s *Session) serverResource(ctx context.Context, uri string) (string, bool) {
	if s.servers.set == nil || strings.HasPrefix(uri, "file:") {
		return "", false
	}
	text, ok, err := s.servers.set.Read(ctx, uri)
	if err != nil {
		text = fmt.Sprintf("[%s could not be read: %v]", uri, err)
	}
	return s.agent.cfg.Redactor.Text(text), ok
}

// mentioned finds the resources of servers that a text names: @ and their URI.
func (s *Session) mentioned(b ContentBlock) (uris []string) {
	if s.servers.set == nil || b.foreign {
		return nil
	}
	for _, word := range strings.Fields(b.Text) {
		uri, ok := strings.CutPrefix(word, "@")
		if uri = strings.TrimRight(uri, ".,;:!?)"); ok && len(uris) < mostMentions && !slices.Contains(uris, uri) && s.servers.set.Offers(uri) {
			uris = append(uris, uri)
		}
	}
	return uris
}

// mostMentions bounds the resources that one text can name.
const mostMentions = 20

// mcpCommand is the slash command /mcp.
func (s *Session) mcpCommand(args string) (string, error) {
	verb, name, _ := strings.Cut(args, " ")
	switch {
	case verb == "restart" && strings.TrimSpace(name) != "":
		name = strings.TrimSpace(name)
		return "Restarting " + name + ".", s.RestartServer(name)
	case args != "" && args != "list":
		return "", &Error{Kind: ErrInvalid, Message: "Use /mcp or /mcp restart NAME."}
	}
	list := s.Servers()
	if len(list) == 0 {
		return "There are no MCP servers. The README says where they are configured.", nil
	}
	var b strings.Builder
	for _, st := range list {
		fmt.Fprintf(&b, "- **%s** (%s, %s): %d tools", st.Name, st.State, st.Source, len(st.Tools))
		if len(st.Prompts) > 0 {
			fmt.Fprintf(&b, ", %d prompts", len(st.Prompts))
		}
		if len(st.Resources) > 0 {
			fmt.Fprintf(&b, ", %d resources", len(st.Resources))
		}
		fmt.Fprintf(&b, ". `%s`\n", st.What)
		if st.Error != "" {
			fmt.Fprintf(&b, "  - %s\n", strings.ReplaceAll(st.Error, "\n", "\n    "))
		}
		for _, w := range st.Warnings {
			fmt.Fprintf(&b, "  - %s\n", w)
		}
	}
	return b.String(), nil
}
