package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
)

const (
	// DefaultContext is how many tokens a model is taken to have room for when
	// nobody says.
	DefaultContext = 128_000
	// roomyAt and fullAt are parts of the context. Above the first old results
	// of tools are left out, above the second the conversation is summarised.
	roomyAt, fullAt = 0.65, 0.85
	// recentResults is how many results of tools are never left out.
	recentResults = 6
	// smallResult is the size below which leaving a result out saves nothing.
	smallResult = 500
	// imageBytes is what an image counts for.
	imageBytes = 4000
	// firstBytesPerToken holds until a server has counted.
	firstBytesPerToken = 4.0
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

// room is what is known of the model's context; s.mu guards it.
type room struct {
	window        int     // in tokens, as a server's error has told; 0 if none did
	bytesPerToken float64 // as the server's counts say; 0 if there were none
}

// window is how many tokens the model has room for.
func (s *Session) window() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room.window > 0 {
		return s.room.window
	}
	if f := s.agent.cfg.Context; f != nil {
		if n := f(s.model.Name()); n > 0 {
			return n
		}
	}
	return DefaultContext
}

// tokens is about how many tokens so many bytes are.
func (s *Session) tokens(bytes int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	per := s.room.bytesPerToken
	if per == 0 {
		per = firstBytesPerToken
	}
	return int(float64(bytes) / per)
}

// calibrate learns from a server's count how many bytes a token is. Counts that
// cannot be are not believed.
func (s *Session) calibrate(requestBytes, inputTokens int) {
	if inputTokens < 100 {
		return
	}
	per := float64(requestBytes) / float64(inputTokens)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room.bytesPerToken = min(max(per, 1), 8)
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
		if try == 0 && t.s.prune(t.id, 2) {
			continue
		}
		if try < 2 && t.compact("", false) == nil && t.s.requestSize() < size*9/10 {
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
		s.prune(t.id, recentResults)
	}
	if used() <= fullAt*window {
		return
	}
	if err := t.compact("", false); err != nil && t.ctx.Err() == nil {
		t.emit(NoticeEvent{Level: "warning", Kind: "context_full", Message: "the conversation is nearly too long for the model, and could not be summarised: " + s.agent.cfg.Redactor.Text(err.Error())})
	}
}

// prune leaves out the results of tools but for the last ones, all at once, so
// that the provider's cache is lost only then. Files whose text goes with them
// count as unread. It reports whether there were any.
func (s *Session) prune(turn string, keep int) bool {
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
	changed := false
	for _, i := range results[:max(len(results)-keep, 0)] {
		m := list[i]
		if sizeOf(m) < smallResult {
			continue
		}
		list[i] = toolMessage(m.ToolCallID, leftOut)
		list[i].Denied = m.Denied
		s.forgetRead(calls[m.ToolCallID])
		changed = true
	}
	if changed {
		s.setHistory(turn, list)
	}
	return changed
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
// it could not be answered, and would make every later request fail as well.
func (t *turn) takeBack() {
	t.s.mu.Lock()
	i := slices.Index(t.s.history, t.prompt)
	list := slices.Clone(t.s.history[:max(i, 0)])
	t.s.mu.Unlock()
	if i >= 0 {
		t.s.setHistory(t.id, list)
	}
}

// tokenCounts finds the numbers in a server's complaint.
var tokenCounts = regexp.MustCompile(`[0-9][0-9,_]{2,}`)

// learnWindow reads the model's context from the error of a server: the smallest
// number that it names, which is the limit and not what was asked for. Without
// one the request itself was too long.
func (s *Session) learnWindow(message string, requestBytes int) {
	window := 0
	for _, m := range tokenCounts.FindAllString(message, -1) {
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(m))
		if err == nil && n >= 1000 && (window == 0 || n < window) {
			window = n
		}
	}
	if window == 0 {
		window = s.tokens(requestBytes) * 9 / 10
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room.window == 0 || window < s.room.window {
		s.room.window = window
	}
}

// kilo shows a number of tokens.
func kilo(n int) string {
	if n < 10_000 {
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", n/1000)
}
