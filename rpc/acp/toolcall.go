package acp

import (
	"cmp"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/tools"
)

// call is a tool call that has not ended yet, as the client knows it.
type call struct {
	id       string
	kind     tools.Kind
	terminal string // in which its command runs
	live     []byte // the end of its output so far
	timer    *time.Timer
}

// toolUpdate is a tool_call, a tool_call_update, or the call of a permission
// request (then without Update).
type toolUpdate struct {
	Update    string                      `json:"sessionUpdate,omitempty"`
	ID        string                      `json:"toolCallId"`
	Name      string                      `json:"name,omitempty"`
	Title     string                      `json:"title,omitempty"`
	Kind      tools.Kind                  `json:"kind,omitempty"`
	Status    agent.ToolStatus            `json:"status,omitempty"`
	Content   []any                       `json:"content,omitempty"`
	Locations []location                  `json:"locations,omitempty"`
	RawInput  json.RawMessage             `json:"rawInput,omitempty"`
	RawOutput *rawOutput                  `json:"rawOutput,omitempty"`
	Meta      *extensions[callExtensions] `json:"_meta,omitempty"`
}

// callExtensions say more of a call.
type callExtensions struct {
	Level tools.Level `json:"level,omitempty"`
	// Parent is the call that has started the subagent whose call it is.
	Parent string `json:"parentToolCallId,omitempty"`
	// Error and Stats are those of a call that has ended.
	Error *tools.Error       `json:"error,omitempty"`
	Stats *tools.ResultStats `json:"stats,omitempty"`
}

// rawOutput is what the model reads of a command whose output the person sees in
// a terminal. Other results stand in the content: clients show both.
type rawOutput struct {
	Text string `json:"text"`
}

// location is a place in a file; lines count from 1.
type location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// shownContent is a content block of a call.
type shownContent struct {
	Type    string `json:"type"` // "content"
	Content any    `json:"content"`
}

// shownTerminal is a terminal of the client's.
type shownTerminal struct {
	Type string `json:"type"` // "terminal"
	ID   string `json:"terminalId"`
}

func shownText(s string) shownContent { return shownContent{"content", text(s)} }

// toolCall tells of a call. sess.mu is held.
func (sess *session) toolCall(e agent.ToolCallEvent, parent string) {
	u := toolUpdate{Update: "tool_call_update", ID: e.ToolCallID, Title: e.Title, Kind: e.Kind, Status: e.Status, RawInput: e.Input, Locations: locations(e.Locations)}
	c := sess.calls[e.ToolCallID]
	if c == nil {
		c = &call{id: e.ToolCallID, kind: e.Kind}
		sess.calls[c.id] = c
		u.Update, u.Name, u.Title = "tool_call", e.Tool, cmp.Or(e.Title, e.Tool)
	}
	if more := (callExtensions{e.Level, parent, e.Error, e.Stats}); more != (callExtensions{}) {
		u.Meta = &extensions[callExtensions]{&more}
	}
	if e.Status == agent.ToolCompleted || e.Status == agent.ToolFailed {
		delete(sess.calls, c.id)
		if c.timer != nil {
			c.timer.Stop()
		}
		u.Content = c.result(&e)
		if c.terminal != "" {
			u.RawOutput = &rawOutput{e.Text}
		}
	}
	sess.send(u)
}

func locations(list []tools.Location) (out []location) {
	for _, l := range list {
		out = append(out, location{l.Path, max(l.Line, 0)})
	}
	return out
}

// result shows the end of a call.
func (c *call) result(e *agent.ToolCallEvent) (content []any) {
	for _, ch := range e.Changes {
		for _, d := range diffsOf(ch) {
			content = append(content, d)
		}
	}
	if c.terminal != "" {
		content = append(content, shownTerminal{"terminal", c.terminal})
		if e.Status == agent.ToolCompleted {
			return content // it shows the output
		}
	}
	switch {
	case e.Text == "":
	case e.Error == nil && (c.kind == tools.KindRead || c.kind == tools.KindSearch || c.kind == tools.KindExecute):
		content = append(content, shownText(fenced(e.Text, "")))
	default:
		content = append(content, shownText(e.Text))
	}
	return content
}

const (
	// liveShown is how much of the output of a running call is shown.
	liveShown = 16 << 10
	// livePause is the time between two updates of it.
	livePause = 150 * time.Millisecond
)

// output shows a piece of live output. ACP replaces the content of a call as a
// whole, so what comes is gathered for a moment. sess.mu is held.
func (sess *session) output(id, s string) {
	c := sess.calls[id]
	if c == nil || c.terminal != "" {
		return
	}
	c.live = append(c.live, s...)
	if n := len(c.live); n > liveShown {
		c.live = c.live[n-liveShown:]
		for len(c.live) > 0 && !utf8.RuneStart(c.live[0]) {
			c.live = c.live[1:]
		}
	}
	if c.timer == nil && sess.phase == phaseOpen {
		c.timer = time.AfterFunc(livePause, func() { sess.showLive(c) })
	}
}

// showLive sends the live output of a call, unless that has ended meanwhile.
func (sess *session) showLive(c *call) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	c.timer = nil
	if sess.calls[c.id] != c || sess.life.Err() != nil {
		return
	}
	shown := string(c.live)
	if c.kind == tools.KindExecute {
		shown = fenced(shown, "")
	}
	sess.send(toolUpdate{Update: "tool_call_update", ID: c.id, Content: []any{shownText(shown)}})
}
