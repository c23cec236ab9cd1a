package openai

import (
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
)

// encodeMessage makes the wire form of a message.
func encodeMessage(m *model.Message, q Quirks) (model.Wire, error) {
	var w model.Wire
	var err error
	switch m.Role {
	case model.RoleAssistant:
		if len(m.ToolCalls) > 0 || m.Text() != "" {
			w.JSON, err = encode(assistant(m, q))
		}
	case model.RoleTool:
		text := m.Text()
		parts := imageParts(m, q)
		if m.HasImages() && q.NoImages {
			text = strings.TrimSpace(text + "\n" + noImages)
		}
		if text == "" && len(parts) > 0 {
			text = "(the image follows)"
		} else if text == "" {
			text = "(no output)"
		}
		if w.JSON, err = encode(openai.ToolMessage(text, m.ToolCallID)); err == nil && len(parts) > 0 {
			w.Images, err = encode(openai.UserMessage(append([]openai.ChatCompletionContentPartUnionParam{
				openai.TextContentPart("(image from tool call " + m.ToolCallID + ")")}, parts...)))
		}
	default:
		text := m.Text()
		if m.HasImages() && q.NoImages {
			text = textInPlace(m)
		}
		switch {
		case len(imageParts(m, q)) > 0:
			w.JSON, err = encode(openai.UserMessage(allParts(m)))
		case text != "":
			w.JSON, err = encode(openai.UserMessage(text))
		}
	}
	return w, err
}

// noImages is what a model without vision gets in the place of an image.
const noImages = "[There is an image here, but you cannot see images. Say so if it matters, and ask for a description.]"

// textInPlace is the text of a message with a sentence for each image.
func textInPlace(m *model.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text)
		if p.Image != "" {
			b.WriteString("\n" + noImages + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}

func assistant(m *model.Message, q Quirks) openai.ChatCompletionMessageParamUnion {
	a := &openai.ChatCompletionAssistantMessageParam{}
	extra := map[string]any{}
	switch text := m.Text(); {
	case text != "" || q.EmptyContent == ContentString:
		a.Content.OfString = param.NewOpt(text)
	case q.EmptyContent == ContentNull:
		extra["content"] = nil
	}
	for _, c := range m.ToolCalls {
		a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
					Name:      validName(c.Name),
					Arguments: validArguments(c.Arguments),
				},
			},
		})
	}
	// Servers that want reasoning back miss the field in a message with calls.
	if q.SendReasoning && (m.Reasoning != "" || len(m.ToolCalls) > 0) {
		extra["reasoning_content"] = strings.ToValidUTF8(m.Reasoning, "\ufffd")
	}
	if len(extra) > 0 {
		a.SetExtraFields(extra)
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: a}
}

func allParts(m *model.Message) []openai.ChatCompletionContentPartUnionParam {
	var out []openai.ChatCompletionContentPartUnionParam
	for _, p := range m.Parts {
		if p.Text != "" {
			out = append(out, openai.TextContentPart(p.Text))
		}
		if p.Image != "" {
			out = append(out, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: p.Image}))
		}
	}
	return out
}

// imageParts are the images of a message, none for a model that takes none.
func imageParts(m *model.Message, q Quirks) []openai.ChatCompletionContentPartUnionParam {
	if q.NoImages {
		return nil
	}
	var out []openai.ChatCompletionContentPartUnionParam
	for _, p := range m.Parts {
		if p.Image != "" {
			out = append(out, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: p.Image}))
		}
	}
	return out
}

// encode makes the JSON of a library value. The library escapes <, > and &,
// which code is full of, to six bytes each; that is undone.
func encode(v interface{ MarshalJSON() ([]byte, error) }) ([]byte, error) {
	b, err := v.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return unescapeHTML(b), nil
}

func unescapeHTML(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			out = append(out, b[i])
			continue
		}
		if i+6 <= len(b) {
			switch string(b[i : i+6]) {
			case `\u003c`:
				out, i = append(out, '<'), i+5
				continue
			case `\u003e`:
				out, i = append(out, '>'), i+5
				continue
			case `\u0026`:
				out, i = append(out, '&'), i+5
				continue
			}
		}
		out = append(out, b[i], b[i+1]) // an escape, also of a backslash
		i++
	}
	return out
}
