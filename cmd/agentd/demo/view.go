package demo

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc"
	"github.com/agentd-dev/agentd/tools"
)

// view shows what happens in the session.
type view struct {
	screen *screen
	folder string

	mu    sync.Mutex // guards below
	free  *sync.Cond // the person is not being asked
	asked int        // questions that are open
	queue []func()   // what happened meanwhile
	said  *flow      // the text that is being streamed
	saidB string     // what it is: kind and message
	calls map[string]*call
	files files
	error string // the last error that was shown
}

func newView(s *screen, folder string) *view {
	v := &view{screen: s, folder: folder, calls: map[string]*call{}}
	v.free = sync.NewCond(&v.mu)
	return v
}

// do shows something: now, or after the open question.
func (v *view) do(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked > 0 {
		v.queue = append(v.queue, f)
		return
	}
	f()
}

// hold keeps everything back while the person is being asked.
func (v *view) hold() (release func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked++
	v.endText()
	v.screen.quiet()
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.asked--
		if v.asked > 0 {
			return
		}
		for _, f := range v.queue {
			f()
		}
		v.queue = nil
		v.free.Broadcast()
	}
}

// settle waits until nobody is being asked.
func (v *view) settle() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for v.asked > 0 {
		v.free.Wait()
	}
}

// rest ends what is being shown.
func (v *view) rest() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.endText()
	v.screen.quiet()
}

// prompt shows what is asked of the model.
func (v *view) prompt(text string) {
	v.do(func() { v.screen.para(bold, "", "> "+text) })
}

// update takes a session/update.
func (v *view) update(params json.RawMessage) {
	var u update
	if json.Unmarshal(params, &u) != nil {
		return
	}
	e := u.event()
	v.do(func() { v.show(e) })
}

func (v *view) show(e agent.Event) {
	s := v.screen
	switch e := e.(type) {
	case agent.MessageDelta:
		v.text("message "+e.MessageID, "", e.Text)
	case agent.ThoughtDelta:
		v.text("thought "+e.MessageID, dim, e.Text)
	case agent.ToolCallEvent:
		v.endText()
		v.toolCall(e)
	case agent.ToolOutputDelta:
		v.toolOutput(e)
	case agent.PlanEvent:
		v.endText()
		v.plan(e)
	case agent.NoticeEvent:
		v.endText()
		style := yellow
		if e.Level == "error" {
			style, v.error = red, e.Message
		}
		if e.Level == "info" {
			style = dim
		}
		s.lines(style, "  ", s.marks.note+" "+e.Message)
	case agent.StateEvent:
		if e.State == agent.Running {
			s.note("  " + s.marks.cut)
		}
		if e.State == agent.Idle {
			v.endText()
			s.quiet()
		}
	}
}

// text shows a piece of streamed text.
func (v *view) text(what, style, text string) {
	if v.saidB != what {
		v.endText()
		v.screen.line("")
		v.saidB = what
		v.said = &flow{emit: v.screen.write, width: v.screen.width(), paint: func(t string) string { return v.screen.paint(style, t) }}
	}
	v.said.write(plain(text))
}

func (v *view) endText() {
	if v.said != nil {
		v.said.flush()
		v.screen.endLine()
	}
	v.said, v.saidB = nil, ""
}

func (v *view) plan(e agent.PlanEvent) {
	s := v.screen
	for _, p := range e.Entries {
		mark, style := s.marks.todo, ""
		switch p.Status {
		case "in_progress":
			mark, style = s.marks.doing, bold
		case "completed":
			mark, style = s.marks.ok, dim
		}
		s.lines(style, "  ", mark+" "+oneLine(p.Content))
	}
}

// log takes a log/message: only errors are of interest to a person.
func (v *view) log(params json.RawMessage) {
	var l rpc.LogParams
	if json.Unmarshal(params, &l) != nil || l.Level != "error" {
		return
	}
	v.do(func() {
		v.endText()
		v.screen.lines(red, "  ", v.screen.marks.note+" "+l.Message)
	})
}

// turnEnd says how a turn ended.
func (v *view) turnEnd(end *agent.PromptResult, took time.Duration, usage bool) {
	v.settle()
	v.do(func() {
		v.endText()
		s := v.screen
		switch {
		case end.Error != nil && end.Error.Message != v.error:
			s.failure(end.Error.Message)
		case end.Error == nil && end.StopReason == agent.StopCancelled:
			s.lines(yellow, "  ", s.marks.note+" cancelled")
		case end.Error == nil && end.StopReason != agent.StopEndTurn:
			s.lines(yellow, "  ", s.marks.note+" stopped: "+string(end.StopReason))
		}
		if u := end.Usage; u != nil && usage {
			about := ""
			if u.Estimated {
				about = "about "
			}
			s.lines(dim, "  ", fmt.Sprintf("%s, %s%d tokens in, %d out", duration(took), about, u.InputTokens, u.OutputTokens))
		}
		v.error = ""
	})
}

// files are the files that were changed, in order.
type files []changedFile

type changedFile struct {
	path        string
	plus, minus int
}

func (f *files) note(folder string, c tools.FileChange) {
	name := c.Path
	if rel, err := filepath.Rel(folder, c.Path); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	plus, minus := 0, 0
	for i, l := range strings.Split(c.Diff, "\n") {
		switch {
		case i < 2: // the names
		case strings.HasPrefix(l, "+"):
			plus++
		case strings.HasPrefix(l, "-"):
			minus++
		}
	}
	for i := range *f {
		if old := &(*f)[i]; old.path == name {
			old.plus, old.minus = old.plus+plus, old.minus+minus
			return
		}
	}
	*f = append(*f, changedFile{name, plus, minus})
}
