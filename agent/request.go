package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tools"
)

// Retries of a model request.
const (
	maxRetries    = 4
	firstBackoff  = 500 * time.Millisecond
	maxRetryAfter = 60 * time.Second
)

// request asks the model and gives its whole reply. Errors that may pass are
// retried; no tool of the reply has run by then, and the text that the person
// has seen of a failed try is declared void.
func (t *turn) request() (*model.Finish, error) {
	for try := 0; ; try++ {
		messageID := fmt.Sprintf("%s-m%d", t.id, t.s.message)
		t.s.message++
		fin, shown, err := t.stream(messageID)
		if err == nil {
			t.count(fin)
			return fin, nil
		}
		if t.ctx.Err() != nil {
			t.keepPartial(shown.text)
			return nil, err
		}
		void := ""
		if shown.any {
			void = messageID
		}
		wait, ok := retryWait(err, try)
		slog.Warn("model request failed", "turn", t.id, "try", try+1, "retry", ok, "err", t.s.agent.cfg.Redactor.Text(err.Error()))
		if !ok {
			t.keepPartial(shown.text)
			return nil, tooLongToWait(err)
		}
		t.emit(NoticeEvent{Level: "warning", Kind: "retry", VoidMessageID: void,
			Message: t.s.agent.cfg.Redactor.Text(fmt.Sprintf("%s; trying again in %.1f s (%d of %d)", err, wait.Seconds(), try+1, maxRetries))})
		if !sleep(t.ctx, wait) {
			return nil, t.ctx.Err()
		}
	}
}

// retryWait says how long to wait before another try, if there is one: twice as
// long each time and never less than the server asks for, with a part left to
// chance, so that not all who were turned away come back at once.
func retryWait(err error, try int) (time.Duration, bool) {
	var me *model.Error
	if !errors.As(err, &me) || !me.Retryable() || try >= maxRetries || me.RetryAfter > maxRetryAfter {
		return 0, false
	}
	wait := firstBackoff << try
	wait = max(wait+part(wait, 2), me.RetryAfter+part(me.RetryAfter, 10))
	return wait, true
}

// part is anything up to the n-th part of d.
func part(d time.Duration, n int64) time.Duration {
	return time.Duration(rand.Int64N(int64(d)/n + 1))
}

// tooLongToWait says of an error that passes only after the longest wait when
// that would be.
func tooLongToWait(err error) error {
	var me *model.Error
	if !errors.As(err, &me) || !me.Retryable() || me.RetryAfter <= maxRetryAfter {
		return err
	}
	late := *me
	minutes := int(me.RetryAfter.Round(time.Minute).Minutes())
	in := fmt.Sprintf("%d minutes", minutes)
	if minutes >= 120 {
		in = fmt.Sprintf("%d hours", (minutes+30)/60)
	}
	late.Message = strings.TrimSuffix(me.Message, ".") + "; the server asks to come back in " + in
	return &late
}

// sleep waits; it reports false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// shown is what the client has been told of a reply.
type shown struct {
	text string
	any  bool // text or thoughts
}

// stream makes one try.
func (t *turn) stream(messageID string) (fin *model.Finish, seen shown, err error) {
	s := t.s
	s.mu.Lock()
	m := s.model
	history := s.history[:len(s.history):len(s.history)]
	effort := s.requestEffort()
	s.mu.Unlock()
	req := &model.Request{Effort: effort, System: s.system, Messages: history, Tools: s.offered()}
	var text strings.Builder
	defer func() { seen.text = text.String() }()
	for ev, err := range m.Stream(t.ctx, req) {
		if err != nil {
			return nil, seen, err
		}
		switch ev := ev.(type) {
		case model.TextDelta:
			text.WriteString(ev.Text)
			seen.any = true
			t.emit(MessageDelta{messageID, s.agent.cfg.Redactor.Text(ev.Text)})
		case model.ThoughtDelta:
			seen.any = true
			t.emit(ThoughtDelta{messageID, s.agent.cfg.Redactor.Text(ev.Text)})
		case model.Notice:
			t.emit(NoticeEvent{Level: "info", Kind: ev.Kind, Message: s.agent.cfg.Redactor.Text(ev.Text)})
		case model.Finish:
			fin = &ev
		}
		if t.ctx.Err() != nil {
			return nil, seen, t.ctx.Err()
		}
	}
	if fin == nil {
		return nil, seen, &model.Error{Kind: model.ErrCut, Message: "the model's answer broke off"}
	}
	s.uniqueIDs(fin.Message)
	return fin, seen, nil
}

// uniqueIDs renames call ids that the session has had before: some servers
// count from one in every reply, and a client must tell the calls apart.
func (s *Session) uniqueIDs(m *model.Message) {
	for i := range m.ToolCalls {
		id := m.ToolCalls[i].ID
		for n := 2; s.callIDs[id]; n++ {
			id = fmt.Sprintf("%s-%d", m.ToolCalls[i].ID, n)
		}
		s.callIDs[id] = true
		m.ToolCalls[i].ID = id
	}
}

// offered lists the tools for the model.
func (s *Session) offered() []model.Tool {
	list := s.dispatch.Offered()
	if s.top().Mode() == ModePlan {
		list = slices.DeleteFunc(list, (*tools.Tool).NeverReads)
	}
	out := make([]model.Tool, len(list))
	for i, t := range list {
		out[i] = modelTool(t)
	}
	return out
}

// keepPartial keeps what the person has read of a reply that was cut.
func (t *turn) keepPartial(text string) {
	if strings.TrimSpace(text) != "" {
		t.add(model.TextMessage(model.RoleAssistant, text))
	}
}
