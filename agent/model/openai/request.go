package openai

import (
	"fmt"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
)

// systemText is the wire form of the system prompt last sent.
type systemText struct {
	text string
	role bool // developer
	wire []byte
}

// body makes the JSON of a request from the encoded forms of its parts.
// Nothing that has been sent before is encoded again.
func (c *Client) body(req *model.Request, q Quirks) ([]byte, error) {
	params := openai.ChatCompletionNewParams{Model: c.cfg.Model}
	if !q.NoStreamOptions {
		params.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	most := req.MaxTokens
	if most == 0 {
		most = q.MaxTokens
	}
	if most > 0 && q.MaxCompletionTokens {
		params.MaxCompletionTokens = param.NewOpt(int64(most))
	} else if most > 0 {
		params.MaxTokens = param.NewOpt(int64(most))
	}
	if req.Effort != "" && !q.NoEffort {
		params.ReasoningEffort = openai.ReasoningEffort(req.Effort)
	}
	if q.NoParallelToolCalls && len(req.Tools) > 0 {
		params.ParallelToolCalls = param.NewOpt(false)
	}
	params.SetExtraFields(map[string]any{"messages": param.Omit, "stream": true})
	head, err := params.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encoding the request: %w", err)
	}
	messages, err := c.messages(req, q)
	if err != nil {
		return nil, err
	}
	var tools []byte
	if len(req.Tools) > 0 {
		if tools, err = c.tools.get(req.Tools, q.StrictSchemas); err != nil {
			return nil, err
		}
	}
	size := len(head) + len(tools) + 64
	for _, m := range messages {
		size += len(m) + 1
	}
	b := make([]byte, 0, size)
	b = append(b, head[:len(head)-1]...)
	b = append(b, `,"messages":[`...)
	for i, m := range messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, m...)
	}
	b = append(b, ']')
	if tools != nil {
		b = append(append(b, `,"tools":`...), tools...)
	}
	return append(b, '}'), nil
}

// messages gives the encoded messages in their order on the wire.
func (c *Client) messages(req *model.Request, q Quirks) ([][]byte, error) {
	out := make([][]byte, 0, len(req.Messages)+1)
	if req.System != "" {
		b, err := c.systemMessage(req.System, q)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	form := q.form()
	encodeOne := func(m *model.Message) (model.Wire, error) { return encodeMessage(m, q) }
	var images [][]byte // of the run of tool messages
	for i, m := range req.Messages {
		if m.Role != model.RoleTool {
			out = append(out, images...)
			images = images[:0]
		}
		w, err := m.Cached(form, encodeOne)
		if err != nil {
			return nil, fmt.Errorf("encoding message %d: %w", i, err)
		}
		if w.JSON != nil {
			out = append(out, w.JSON)
		}
		if w.Images != nil {
			images = append(images, w.Images)
		}
	}
	return append(out, images...), nil
}

func (c *Client) systemMessage(text string, q Quirks) ([]byte, error) {
	if s := c.system.Load(); s != nil && s.text == text && s.role == q.DeveloperRole {
		return s.wire, nil
	}
	m := openai.SystemMessage(text)
	if q.DeveloperRole {
		m = openai.DeveloperMessage(text)
	}
	b, err := encode(m)
	if err != nil {
		return nil, fmt.Errorf("encoding the system prompt: %w", err)
	}
	c.system.Store(&systemText{text, q.DeveloperRole, b})
	return b, nil
}
