package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentd-dev/agentd/tools"
)

// mostImage bounds an image that is shown to the model, in bytes.
const mostImage = 5 << 20

// result makes a result of a server's: what is text is read by the model, the
// first image is shown to it, the rest is named.
func result(r *sdk.CallToolResult) *tools.Result {
	out := &tools.Result{Status: tools.Success, Data: r.StructuredContent}
	var text []string
	for _, c := range r.Content {
		t, image := contentText(c)
		if image != "" && out.Image == "" {
			out.Image = image
			t = "[an image]"
		}
		if t != "" {
			text = append(text, t)
		}
	}
	if len(text) == 0 && r.StructuredContent != nil {
		if b, err := json.Marshal(r.StructuredContent); err == nil {
			text = append(text, string(b))
		}
	}
	out.Text = strings.Join(text, "\n")
	if out.Text == "" {
		out.Text = "[The tool has answered with nothing.]"
	}
	if r.IsError {
		out.Status, out.Fault = tools.Failed, true
		out.Error = &tools.Error{Code: tools.CodeExecution, Message: out.Text}
	}
	return out
}

// contentText gives a piece of content as text, and an image as a data URL, too.
func contentText(c sdk.Content) (text, image string) {
	switch c := c.(type) {
	case *sdk.TextContent:
		return strings.ToValidUTF8(c.Text, "\uFFFD"), ""
	case *sdk.ImageContent:
		mime := imageType(c)
		if mime == "" {
			return fmt.Sprintf("[an image of %d bytes (%s) that cannot be shown]", len(c.Data), shown(c.MIMEType)), ""
		}
		return fmt.Sprintf("[one more image (%s), which is not shown]", mime), "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(c.Data)
	case *sdk.AudioContent:
		return fmt.Sprintf("[audio of %d bytes (%s), which cannot be heard]", len(c.Data), shown(c.MIMEType)), ""
	case *sdk.ResourceLink:
		line := fmt.Sprintf("[resource %s: %s", shown(c.Name), shown(c.URI))
		if c.Description != "" {
			line += ": " + shown(c.Description)
		}
		return line + "]", ""
	case *sdk.EmbeddedResource:
		if c.Resource == nil {
			return "", ""
		}
		return resourceText(c.Resource), ""
	}
	return "[content of a kind that agentd does not know]", ""
}

// imageType is the type of an image that model APIs take, by its bytes; "" for any
// other. One that they refuse would stay in the conversation, and end it.
func imageType(c *sdk.ImageContent) string {
	mime := http.DetectContentType(c.Data)
	if len(c.Data) > mostImage || !slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, mime) {
		return ""
	}
	return mime
}

// resourceText shows the content of a resource.
func resourceText(r *sdk.ResourceContents) string {
	if r.Blob != nil {
		return fmt.Sprintf("[resource %s: %d bytes (%s) that are no text]", shown(r.URI), len(r.Blob), shown(r.MIMEType))
	}
	return fmt.Sprintf("[resource %s]\n%s", shown(r.URI), strings.ToValidUTF8(r.Text, "\uFFFD"))
}
