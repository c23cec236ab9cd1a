package agent

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
)

//go:embed compact.md
var compactPrompt string

const (
	// keptPart is the part of the context that the end of the conversation may
	// take up, which is kept word by word.
	keptPart = 0.25
	// toldPart is the part that the model is shown to summarise.
	toldPart = 0.6
	// mostTold is how much of one message it is shown.
	mostTold = 3000
	// mostUserWords and mostUserMessages bound what is kept of what the user
	// has said, whatever the model makes of it.
	mostUserWords, mostUserMessages = 1500, 20
)

var errNothingToCompact = errors.New("there is nothing to summarise yet")

// compact puts a summary in the place of the conversation but for its end, or of
// all of it. What
// the user has said and which files were changed is kept as it is; the rest is
// the model's summary. The model has to read files again before it writes them.
func (t *turn) compact(hint string, all bool) error {
	s := t.s
	s.mu.Lock()
	history := s.history[:len(s.history):len(s.history)]
	s.mu.Unlock()
	cut := s.keepFrom(history)
	if all {
		cut = len(history)
	}
	if cut < 2 {
		return errNothingToCompact
	}
	before := s.tokens(s.requestSize())
	t.emit(NoticeEvent{Level: "info", Kind: "compacting", Message: "summarising the conversation to make room"})
	summary, err := t.summarise(history[:cut], hint)
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if err != nil {
		summary = "(The model could not make a summary: " + s.agent.cfg.Redactor.Text(err.Error()) + ")"
	}
	head := model.TextMessage(model.RoleUser, s.summaryText(history[:cut], summary))
	s.setHistory(t.id, append([]*model.Message{head}, history[cut:]...))
	s.files.Ledger().ForgetAll()
	if cut > 0 && !containsMessage(history[cut:], t.prompt) {
		t.prompt = head // taking the prompt back takes the summary of it back
	}
	t.emit(NoticeEvent{Level: "info", Kind: "compacted",
		Message: fmt.Sprintf("the conversation was summarised: about %s tokens before, %s now", kilo(before), kilo(s.tokens(s.requestSize())))})
	return nil
}

func containsMessage(list []*model.Message, m *model.Message) bool {
	for _, x := range list {
		if x == m {
			return true
		}
	}
	return false
}

// keepFrom gives the place from which on the conversation is kept: as much as
// fits, from a message of the user or the model on, so that no result is left
// without its call.
func (s *Session) keepFrom(history []*model.Message) int {
	most := int(keptPart * float64(s.window()))
	cut, size := len(history), 0
	for i := len(history) - 1; i >= 0; i-- {
		size += sizeOf(history[i])
		if s.tokens(size) > most {
			break
		}
		if history[i].Role != model.RoleTool {
			cut = i
		}
	}
	return cut
}

// summarise has the model sum up messages.
func (t *turn) summarise(list []*model.Message, hint string) (string, error) {
	var told []string
	most := int(toldPart * float64(t.s.window()) * firstBytesPerToken)
	for i := len(list) - 1; i >= 0; i-- { // the end matters most
		text := tell(list[i])
		if most -= len(text); most < 0 {
			told = append(told, "[The beginning is left out.]\n")
			break
		}
		told = append(told, text)
	}
	var b strings.Builder
	b.WriteString("The conversation:\n\n")
	for i := len(told) - 1; i >= 0; i-- {
		b.WriteString(told[i])
	}
	b.WriteString("\nSummarise it as you were told.")
	if hint != "" {
		b.WriteString(" The user adds: " + hint)
	}
	t.s.mu.Lock()
	m := t.s.model
	t.s.mu.Unlock()
	req := &model.Request{System: compactPrompt, Messages: []*model.Message{model.TextMessage(model.RoleUser, b.String())}}
	for ev, err := range m.Stream(t.ctx, req) {
		if err != nil {
			return "", err
		}
		if fin, ok := ev.(model.Finish); ok {
			t.count(&fin)
			if text := strings.TrimSpace(fin.Message.Text()); text != "" {
				return text, nil
			}
		}
	}
	return "", errors.New("the answer was empty")
}

// tell writes a message for the summary.
func tell(m *model.Message) string {
	var b strings.Builder
	who := map[model.Role]string{model.RoleUser: "User", model.RoleAssistant: "Agent", model.RoleTool: "Result"}[m.Role]
	fmt.Fprintf(&b, "%s: %s\n", who, middleOut(m.Text(), mostTold))
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, "Agent calls %s %s\n", c.Name, middleOut(c.Arguments, mostTold))
	}
	return b.String() + "\n"
}

// middleOut shortens a text to its ends.
func middleOut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most/2], "") + " [...] " + strings.ToValidUTF8(s[len(s)-most/2:], "")
}

// Parts of the message that takes the place of the conversation.
const (
	summaryHead = "[The conversation so far was too long and has been summarised. Read files again before you edit them.]\n\n"
	wordsHead   = "\n\n## What the user has said, word by word\n"
	filesHead   = "\n## Files that were changed in this session\n"
)

// oldWords gives what an earlier summary has kept of the user's words.
func oldWords(summary string) (words []string) {
	_, kept, _ := strings.Cut(summary, wordsHead)
	kept, _, _ = strings.Cut(kept, filesHead)
	for _, w := range strings.Split(strings.TrimSpace(kept), "\n\n") {
		if strings.HasPrefix(w, "> ") {
			words = append(words, w+"\n")
		}
	}
	return words
}

// summaryText is the message that takes the place of the conversation.
func (s *Session) summaryText(list []*model.Message, summary string) string {
	var b strings.Builder
	b.WriteString(summaryHead)
	b.WriteString(summary)
	b.WriteString(wordsHead)
	var words []string
	for _, m := range list {
		text := strings.TrimSpace(m.Text())
		switch {
		case m.Role != model.RoleUser || text == "":
		case strings.HasPrefix(text, summaryHead):
			words = append(words, oldWords(text)...)
		default:
			words = append(words, "> "+strings.ReplaceAll(middleOut(text, mostUserWords), "\n", "\n> ")+"\n")
		}
	}
	if skip := len(words) - mostUserMessages; skip > 0 {
		words = append(words[:1], words[1+skip:]...) // the first says what it is all about
	}
	b.WriteString(strings.Join(words, "\n"))
	s.mu.Lock()
	plan := s.plan
	s.mu.Unlock()
	for i, step := range plan {
		if i == 0 {
			b.WriteString("\n## The plan\n")
		}
		fmt.Fprintf(&b, "- [%s] %s\n", step.Status, step.Content)
	}
	if changed := s.undo.Paths(); len(changed) > 0 {
		b.WriteString(filesHead)
		for _, p := range changed {
			fmt.Fprintf(&b, "- %s\n", s.files.DisplayPath(p))
		}
	}
	return b.String()
}

func (t *turn) compactCommand(args string) (string, error) {
	if err := t.compact(args, true); err != nil {
		if errors.Is(err, errNothingToCompact) {
			return "There is nothing to summarise yet.", nil
		}
		return "", err
	}
	return "The conversation was summarised. The model reads files again before it edits them.", nil
}
