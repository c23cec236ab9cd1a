package openai

import (
	"context"
	"io"
	"net/http"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Models lists the models that the server offers. Servers need not offer a
// list; an error says nothing about whether completions work.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	r := newReply(ctx, c.cfg.IdleTimeout)
	defer r.release()
	service := openai.NewModelService(c.options...)
	var res *http.Response
	if _, err := service.List(r.ctx, option.WithResponseBodyInto(&res)); err != nil {
		return nil, c.redacted(c.connectionError(r.failure(err)))
	}
	r.open(res)
	body, err := io.ReadAll(io.LimitReader(r, maxModels))
	if err != nil {
		return nil, c.redacted(c.connectionError(err))
	}
	names, err := model.ReadModels(body)
	return names, c.redacted(err)
}

// maxModels bounds the list of models; the longest known is 1 MiB.
const maxModels = 8 << 20
