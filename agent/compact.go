package agent

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
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
	// summaryPart and wordsPart are the parts that the summary and what the user
	// has said may take up.
	summaryPart, wordsPart = 0.2, 0.15
	// leastUserWords, mostUserWords and mostUserMessages bound what is kept of
	// what the user has said, whatever the model makes of it.
	leastUserWords, mostUserWords, mostUserMessages = 100, 1500, 20
)

var errNothingToCompact = errors.New("there is nothing to summarise yet")

// urgency says why a conversation is summarised.
type urgency int

const (
	early   urgency = iota // it is getting long
	needed                 // the server refuses it as it is
	ordered                // the person wants it: all of it is summarised
)

// compact puts a summary in the place of the conversation but for its end. What
// the user has said and which files were changed is kept as it is; the rest is
// the model's summary. Without one nothing is changed, unless it is needed. The
// model has to read files again before it writes them.
func (t *turn) compact(hint string, why urgency) error {
	s := t.s
	s.mu.Lock()
	history := s.history[:len(s.history):len(s.history)]
	s.mu.Unlock()
	cut := s.keepFrom(history)
	if why == ordered {
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
	if err != nil && why != needed {
		return err
	}
	if err != nil {
		summary = "(The model could not make a summary: " + s.agent.cfg.Redactor.Text(err.Error()) + ")"
	}
	head := model.TextMessage(model.RoleUser, s.summaryText(history[:cut], middleOut(summary, s.bytes(summaryPart))))
	if i := slices.Index(history[:cut], t.prompt); i >= 0 && t.before == nil {
		t.before = append([]*model.Message{}, history[:i]...)
	}
	s.setHistory(t.id, append([]*model.Message{head}, history[cut:]...))
	s.forgetAll()
	t.emit(NoticeEvent{Level: "info", Kind: "compacted",
		Message: fmt.Sprintf("the conversation was summarised: about %s tokens before, %s now", kilo(before), kilo(s.tokens(s.requestSize())))})
	return nil
}

// forgetAll makes all that the model has forgotten be told it anew: files have to
// be read again, and the instructions of their folders are told again.
func (s *Session) forgetAll() {
	s.files.Ledger().ForgetAll()
	s.forgetInstructions()
}

// bytes is about how many bytes a part of the context are.
func (s *Session) bytes(part float64) int {
	return int(part * float64(s.window()) * firstBytesPerToken)
}

// keepFrom gives the place from which on the conversation is kept: as much as
// fits, from a message of the user or the model on, so that no result is left
// without its call. What the user has said and the model has not had yet is kept
// in any case, and the last results, if they fit.
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
	said := len(history)
	for said > 0 && history[said-1].Role == model.RoleUser {
		said--
	}
	cut = min(cut, said)
	asked := said
	for asked > 0 && history[asked-1].Role == model.RoleTool {
		asked--
	}
	if asked--; asked >= 0 && asked < said-1 {
		size := s.fixedSize()
		for _, m := range history[asked:] {
			size += sizeOf(m)
		}
		if float64(s.tokens(size)) <= roomyAt*float64(s.window()) {
			cut = min(cut, asked)
		}
	}
	return cut
}

// summarise has the model sum up messages. Errors that may pass are retried.
func (t *turn) summarise(list []*model.Message, hint string) (string, error) {
	req := t.summaryRequest(list, hint)
	for try := 0; ; try++ {
		text, err := t.summary(req)
		if err == nil || t.ctx.Err() != nil {
			return text, err
		}
		wait, ok := retryWait(err, try)
		if !ok {
			return "", err
		}
		t.emit(NoticeEvent{Level: "warning", Kind: "retry",
			Message: t.s.agent.cfg.Redactor.Text(fmt.Sprintf("%s; trying again in %.1f s (%d of %d)", err, wait.Seconds(), try+1, maxRetries))})
		if !sleep(t.ctx, wait) {
			return "", t.ctx.Err()
		}
	}
}

// summaryRequest asks for a summary of messages.
func (t *turn) summaryRequest(list []*model.Message, hint string) *model.Request {
	var told []string
	most := t.s.bytes(toldPart)
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
	return &model.Request{System: compactPrompt, Messages: []*model.Message{model.TextMessage(model.RoleUser, b.String())}}
}

// summary makes one try.
func (t *turn) summary(req *model.Request) (string, error) {
	t.s.mu.Lock()
	m := t.s.model
	t.s.mu.Unlock()
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
			words = append(words, strings.ReplaceAll(strings.TrimPrefix(w, "> "), "\n> ", "\n"))
		}
	}
	return words
}

// saidIn is what the user has said in a message, without what was told beside it.
func saidIn(m *model.Message) string {
	var b strings.Builder
	for i, p := range m.Parts {
		if i == 0 || !strings.HasPrefix(p.Text, newsHead) {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// summaryText is the message that takes the place of the conversation.
func (s *Session) summaryText(list []*model.Message, summary string) string {
	var b strings.Builder
	b.WriteString(summaryHead)
	b.WriteString(summary)
	b.WriteString(wordsHead)
	var words []string
	for _, m := range list {
		text := strings.TrimSpace(saidIn(m))
		switch {
		case m.Role != model.RoleUser || text == "":
		case strings.HasPrefix(text, summaryHead):
			words = append(words, oldWords(text)...)
		default:
			words = append(words, text)
		}
	}
	if skip := len(words) - mostUserMessages; skip > 0 {
		words = append(words[:1], words[1+skip:]...) // the first says what it is all about
	}
	most := min(max(s.bytes(wordsPart)/max(len(words), 1), leastUserWords), mostUserWords)
	for i, w := range words {
		words[i] = "> " + strings.ReplaceAll(middleOut(w, most), "\n", "\n> ") + "\n"
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
	switch err := t.compact(args, ordered); {
	case errors.Is(err, errNothingToCompact):
		return "There is nothing to summarise yet.", nil
	case t.ctx.Err() != nil:
		return "Cancelled; the conversation stays as it is.", nil
	case err != nil:
		return "The conversation stays as it is; it could not be summarised: " + t.s.agent.cfg.Redactor.Text(err.Error()), nil
	}
	return "The conversation was summarised. The model reads files again before it edits them.", nil
}
