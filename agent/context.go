package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
)

const (
	// roomyAt and fullAt are parts of the context. Above the first old results
	// of tools are left out, above the second the conversation is summarised.
	roomyAt, fullAt = 0.65, 0.85
	// prunedPart is the part of the context that leaving out has to save.
	prunedPart = 0.1
	// recentResults is how many results of tools are never left out.
	recentResults = 6
	// smallResult is the size below which leaving a result out saves nothing.
	smallResult = 500
	// imageBytes is what an image counts for.
	imageBytes = 4000
)

// leftOut stands in the place of an old result.
const leftOut = "[This result has been left out to save room. Call the tool again if you need it.]"

// sizeOf is about how many bytes of text a message has.
func sizeOf(m *model.Message) int {
	n := len(m.Reasoning) + 16
	for _, p := range m.Parts {
		n += len(p.Text)
		if p.Image != "" {
			n += imageBytes
		}
	}
	for _, c := range m.ToolCalls {
		n += len(c.Name) + len(c.Arguments) + 32
	}
	return n
}

// fixedSize is what every request has: the system prompt and the tools.
func (s *Session) fixedSize() int {
	n := len(s.system)
	for _, t := range s.offered() {
		n += len(t.Description) + len(t.Parameters) + 64
	}
	return n
}

// requestSize is about how many bytes the next request has.
func (s *Session) requestSize() int {
	n := s.fixedSize()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.history {
		n += sizeOf(m)
	}
	return n
}

// ask asks the model, and sees to it that the request fits: before it is sent as
// far as that can be known, and again when the server says that it did not.
func (t *turn) ask() (*model.Finish, error) {
	t.settleServers()
	t.makeRoom()
	for try := 0; ; try++ {
		size := t.s.requestSize()
		fin, err := t.request()
		if err == nil {
			if fin.Usage != nil && !fin.Usage.Estimated {
				t.s.calibrate(size, fin.Usage.InputTokens)
			}
			return fin, nil
		}
		var me *model.Error
		if t.ctx.Err() != nil || !errors.As(err, &me) || me.Kind != model.ErrContextLength {
			return nil, err
		}
		t.s.learnWindow(me.Message, size)
		if try == 0 && t.s.prune(t.id, 2, 0) {
			continue
		}
		if try < 2 && t.compact("", needed) == nil && t.s.requestSize() < size*9/10 {
			continue
		}
		t.takeBack()
		return nil, &model.Error{Kind: model.ErrContextLength, Status: me.Status, Err: err,
			Message: "the conversation does not fit into the model's context, and this prompt by itself may be too long for it; it was taken back. Send less at once, or choose a model with more room. The server says: " + me.Message}
	}
}

// makeRoom keeps the next request from being too long.
func (t *turn) makeRoom() {
	s := t.s
	window := float64(s.window())
	used := func() float64 { return float64(s.tokens(s.requestSize())) }
	if used() > roomyAt*window {
		s.prune(t.id, recentResults, int(prunedPart*window))
	}
	if t.cramped || used() <= fullAt*window {
		return
	}
	err := t.compact("", early)
	if t.ctx.Err() != nil || err == nil && used() <= fullAt*window {
		return
	}
	t.cramped = true
	why := "the conversation is nearly too long for the model"
	if err != nil && !errors.Is(err, errNothingToCompact) {
		why += ", and could not be summarised: " + s.agent.cfg.Redactor.Text(err.Error())
	} else {
		why += fmt.Sprintf(", and summarising it does not help: its context of %s tokens has little room beside the instructions and the tools (about %s)", kilo(int(window)), kilo(s.tokens(s.fixedSize())))
	}
	t.emit(NoticeEvent{Level: "warning", Kind: "context_full", Message: why})
}

// prune leaves out the results of tools but for the last ones, all at once, so
// that the provider's cache is lost only then, and only if that saves at least so
// many tokens. What else a result's message says stays. Files whose text goes
// with them count as unread. It reports whether there were any.
func (s *Session) prune(turn string, keep, least int) bool {
	s.mu.Lock()
	list := slices.Clone(s.history)
	s.mu.Unlock()
	calls := map[string]model.ToolCall{}
	var results []int
	for i, m := range list {
		for _, c := range m.ToolCalls {
			calls[c.ID] = c
		}
		if m.Role == model.RoleTool {
			results = append(results, i)
		}
	}
	saved := 0
	var gone []model.ToolCall
	for _, i := range results[:max(len(results)-keep, 0)] {
		m := list[i]
		short := withoutResult(m)
		if n := sizeOf(m) - sizeOf(short); n >= smallResult {
			list[i] = short
			gone = append(gone, calls[m.ToolCallID])
			saved += n
		}
	}
	if len(gone) == 0 || s.tokens(saved) < least {
		return false
	}
	for _, c := range gone {
		s.forgetRead(c)
	}
	s.setHistory(turn, list)
	return true
}

// withoutResult is a tool's message without its result, but with what was told
// beside it: instructions, and what has changed.
func withoutResult(m *model.Message) *model.Message {
	short := toolMessage(m.ToolCallID, leftOut)
	short.Denied = m.Denied
	for i, p := range m.Parts {
		if i > 0 && strings.HasPrefix(p.Text, newsHead) {
			short.Parts = append(short.Parts, p)
		}
	}
	return short
}

// forgetRead makes a file count as unread whose text was the result of a call.
func (s *Session) forgetRead(c model.ToolCall) {
	var p struct {
		Path string `json:"path"`
	}
	if c.Name != "read_file" || json.Unmarshal([]byte(c.Arguments), &p) != nil {
		return
	}
	if loc, err := s.files.Resolve(p.Path); err == nil {
		s.files.Ledger().Forget(loc)
	}
}

// setHistory replaces the history.
func (s *Session) setHistory(turn string, list []*model.Message) {
	s.journal.history(turn, list)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = list
}

// takeBack takes the turn's prompt and all that came of it out of the history:
// it could not be answered, and would make every later request fail as well. What
// was said before stays, also if the prompt has been summarised along with it.
func (t *turn) takeBack() {
	t.s.mu.Lock()
	i := slices.Index(t.s.history, t.prompt)
	list := slices.Clone(t.s.history[:max(i, 0)])
	if i < 0 && t.before != nil {
		i, list = 0, t.before
	}
	t.s.mu.Unlock()
	if i >= 0 {
		t.s.setHistory(t.id, list)
	}
}

// kilo shows a number of tokens.
func kilo(n int) string {
	if n < 10_000 {
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", n/1000)
}
