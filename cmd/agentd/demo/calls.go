package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/tools"
)

// call is a tool call that has not ended.
type call struct {
	title    string
	kind     tools.Kind
	out      *output // once it has written something
	reviewed bool    // the person has seen its change
}

// toolCall takes the news of a call. A call is one line, written at its end;
// its output comes before, under a line of its own.
func (v *view) toolCall(e agent.ToolCallEvent) {
	s := v.screen
	c := v.calls[e.ToolCallID]
	if c == nil {
		c = &call{title: e.Tool}
		v.calls[e.ToolCallID] = c
	}
	if e.Title != "" {
		c.title = oneLine(e.Title)
	}
	if e.Kind != "" {
		c.kind = e.Kind
	}
	switch e.Status {
	case agent.ToolInProgress:
		s.note("  " + s.marks.running + " " + c.title)
	case agent.ToolCompleted, agent.ToolFailed:
		delete(v.calls, e.ToolCallID)
		v.toolEnd(c, e)
		s.note("  " + s.marks.cut)
	}
}

func (v *view) toolEnd(c *call, e agent.ToolCallEvent) {
	s := v.screen
	if e.Tool == "ask_user" && e.Status == agent.ToolCompleted {
		return // the question has been on the screen
	}
	if c.out != nil {
		c.out.end(s.marks.cut)
	}
	var facts []string
	mark, style := s.marks.ok, green
	if e.Status == agent.ToolFailed {
		mark, style = s.marks.failed, red
	}
	if c.kind == tools.KindExecute && e.Status == agent.ToolCompleted {
		if exit := exitNote(e.Text); exit != "" {
			facts = append(facts, exit)
			if exit != "exit code 0" {
				mark, style = s.marks.failed, yellow
			}
		}
	}
	if e.Stats != nil && e.Stats.Elapsed > 0 {
		facts = append(facts, duration(time.Duration(e.Stats.Elapsed*float64(time.Millisecond))))
	}
	tailText := strings.Join(facts, ", ")
	if tailText != "" {
		tailText = "  " + tailText
	}
	title := c.title
	if w := s.width(); w > 0 {
		title = cut(title, max(w-4-textWidth(tailText), 10), s.marks.cut)
	}
	s.line("  " + s.paint(style, mark) + " " + title + s.paint(dim, tailText))
	if e.Error != nil {
		s.lines(dim, "    ", firstLine(e.Error.Message))
	}
	for _, ch := range e.Changes {
		v.files.note(v.folder, ch)
		if !c.reviewed {
			s.line(strings.Join(s.unified(ch.Diff), "\n"))
		}
	}
}

// exitNote is what the last line of a command's result says of its end.
func exitNote(text string) string {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	note, ok := strings.CutPrefix(last, "[")
	note, _, _ = strings.Cut(note, ",")
	if !ok || !strings.HasPrefix(note, "exit code ") {
		return ""
	}
	return note
}

// toolOutput shows a piece of a running call's output.
func (v *view) toolOutput(e agent.ToolOutputDelta) {
	s := v.screen
	c := v.calls[e.ToolCallID]
	if c == nil {
		return
	}
	if c.out == nil {
		v.endText()
		s.line("  " + s.marks.running + " " + cut(c.title, max(s.width()-4, 0), s.marks.cut))
		c.out = &output{show: func(l string) {
			l = strings.ReplaceAll(plain(escapes.ReplaceAllString(l, "")), "\t", "    ")
			s.line("    " + s.paint(dim, cut(l, max(s.width()-4, 0), s.marks.cut)))
		}}
	}
	c.out.add(e.Text)
}

// review notes that the person sees the change of a call.
func (v *view) review(callID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c := v.calls[callID]; c != nil {
		c.reviewed = true
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return oneLine(line)
}

// duration shows a time as a person says it.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
