package agent

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
)

// ContentBlock is a piece of a prompt; the shape is ACP's.
type ContentBlock struct {
	Type string `json:"type" jsonschema:"enum=text,enum=resource_link,enum=resource,enum=image"`
	// Text is the text of a text block.
	Text string `json:"text,omitempty"`
	// URI and Name are those of a resource_link.
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"`
	// MimeType and Data (base64) are those of an image.
	MimeType string `json:"mimeType,omitempty"`
	Data     string `json:"data,omitempty"`
	// foreign is set for what an MCP server has written: it mentions nothing.
	foreign bool
	// Resource is the content of a resource block.
	Resource *Resource `json:"resource,omitempty"`
}

// Resource is a text that the person attached.
type Resource struct {
	URI      string `json:"uri"`
	MimeType string `json:"mimeType,omitempty"`
	Text     string `json:"text"`
}

// userMessage makes the history's message of a prompt. A file that is attached
// whole counts as read.
func (s *Session) userMessage(ctx context.Context, blocks []ContentBlock) (*model.Message, error) {
	m := &model.Message{Role: model.RoleUser}
	text := func(format string, a ...any) { m.Parts = append(m.Parts, model.Part{Text: fmt.Sprintf(format, a...)}) }
	for i, b := range blocks {
		switch b.Type {
		case "text":
			if b.Text != "" {
				text("%s", b.Text)
			}
			for _, uri := range s.mentioned(b) {
				if content, ok := s.serverResource(ctx, uri); ok {
					text("%s", content)
				}
			}
		case "resource_link":
			if content, ok := s.serverResource(ctx, b.URI); ok {
				text("%s", content)
			} else {
				text("[%s]", s.mention(b.URI, b.Name))
			}
		case "resource":
			if b.Resource == nil {
				return nil, &Error{Kind: ErrInvalid, Message: fmt.Sprintf("prompt[%d]: a resource block needs a resource", i)}
			}
			text("%s", s.attached(ctx, b.Resource))
		case "image":
			if b.Data == "" || !strings.HasPrefix(b.MimeType, "image/") {
				return nil, &Error{Kind: ErrInvalid, Message: fmt.Sprintf("prompt[%d]: an image block needs data and an image mimeType", i)}
			}
			// The model's server would refuse it with this and every later prompt.
			if _, err := base64.StdEncoding.DecodeString(b.Data); err != nil {
				return nil, &Error{Kind: ErrInvalid, Message: fmt.Sprintf("prompt[%d]: the data of the image is no base64: %v", i, err)}
			}
			m.Parts = append(m.Parts, model.Part{Image: "data:" + b.MimeType + ";base64," + b.Data})
		default:
			return nil, &Error{Kind: ErrInvalid, Message: fmt.Sprintf("prompt[%d]: unknown type %q", i, b.Type)}
		}
	}
	if len(m.Parts) == 0 {
		return nil, &Error{Kind: ErrInvalid, Message: "the prompt is empty"}
	}
	return m, nil
}

// mention names a linked resource: a file of the workspace by its path.
func (s *Session) mention(uri, name string) string {
	if loc, err := s.files.Resolve(uri); err == nil && strings.HasPrefix(uri, "file:") {
		return "file " + s.files.Display(loc)
	}
	if name != "" && name != uri {
		return name + ": " + uri
	}
	return uri
}

// attached shows an attached text. If it is a file of the workspace as it is
// now, the model has read it.
func (s *Session) attached(ctx context.Context, r *Resource) string {
	name := r.URI
	if strings.HasPrefix(r.URI, "file:") {
		if f, err := s.files.Read(ctx, r.URI); err == nil {
			name = f.Display
			// An editor gives the text without a byte order mark, and maybe with
			// line endings of its own.
			if text, err := f.Text(); err == nil && sameLines(text, r.Text) {
				s.files.SeeAll(f)
			}
		}
	}
	return fmt.Sprintf("<attached name=%q>\n%s\n</attached>", name, r.Text)
}

// sameLines compares texts without their line endings.
func sameLines(a, b string) bool {
	unix := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	return a == b || unix(a) == unix(b)
}

// mostShownText is how much of an attachment is told back to the client.
const mostShownText = 4 << 10

// shownContent is a prompt without what is too large to be told back.
func shownContent(blocks []ContentBlock) []ContentBlock {
	out := make([]ContentBlock, len(blocks))
	for i, b := range blocks {
		b.Data = ""
		if b.Resource != nil && len(b.Resource.Text) > mostShownText {
			r := *b.Resource
			r.Text = ""
			b.Resource = &r
		}
		out[i] = b
	}
	return out
}
