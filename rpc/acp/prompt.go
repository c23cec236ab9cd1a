package acp

import (
	"context"
	"encoding/json"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/rpc/wire"
)

type promptParams struct {
	SessionID string         `json:"sessionId"`
	Prompt    []contentBlock `json:"prompt"`
}

type promptResult struct {
	StopReason agent.StopReason             `json:"stopReason"`
	Meta       extensions[promptExtensions] `json:"_meta"`
}

// promptExtensions say more of the end of a turn.
type promptExtensions struct {
	TurnID string `json:"turnId,omitempty"`
	// StopReason is agentd's own where ACP has none for it.
	StopReason agent.StopReason `json:"stopReason,omitempty"`
	Usage      *model.Usage     `json:"usage,omitempty"`
	Cost       *float64         `json:"cost,omitempty"`
}

// sessionPrompt begins the turn in the order of arrival, so that a cancel that
// follows finds it and one that came before does not. A prompt for a session
// whose turn is not over yet waits for that: clients send one right behind a
// cancel.
func sessionPrompt(s *server, ctx context.Context, params json.RawMessage) (any, func() (any, error), error) {
	p, err := wire.DecodeParams[promptParams](params)
	if err != nil {
		return nil, nil, err
	}
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, nil, err
	}
	blocks, err := promptBlocks(p.Prompt)
	if err != nil {
		return nil, nil, err
	}
	turn, err := sess.core.Begin(ctx, blocks, true)
	if err != nil {
		return nil, nil, err
	}
	return nil, func() (any, error) {
		<-sess.opened // the reply that names the session goes first
		r, err := turn.Run()
		if err != nil {
			return nil, err
		}
		return ended(r)
	}, nil
}

// ended makes ACP's end of a turn of the agent's. A turn that the model has
// failed is an error: ACP has no stop reason for it.
func ended(r *agent.PromptResult) (*promptResult, error) {
	more := promptExtensions{TurnID: r.TurnID, Usage: r.Usage, Cost: r.Cost}
	stop := r.StopReason
	switch stop {
	case agent.StopError:
		kind, message := "internal", "the turn has failed"
		if r.Error != nil {
			kind, message = r.Error.Kind, r.Error.Message
		}
		code := wire.CodeInternalError
		if model.ErrorKind(kind) == model.ErrAuth {
			code = codeAuthRequired
		}
		return nil, wire.Errorf(code, kind, "%s", message)
	case agent.StopLoop: // a limit of agentd's has ended it
		more.StopReason, stop = stop, agent.StopMaxRequests
	}
	return &promptResult{stop, extensions[promptExtensions]{&more}}, nil
}

// sessionCancel cancels what the session is doing, and what waits for it.
func sessionCancel(s *server, p *idParams) (empty, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return empty{}, err
	}
	sess.core.Cancel("")
	return empty{}, nil
}
