package agent

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tools"
)

const (
	// maxParallel bounds the calls that run at once.
	maxParallel = 8
	// cancelGrace is how long a cancelled turn waits for a running tool.
	cancelGrace = 700 * time.Millisecond
	// maxCuts is how often in a row a reply may be cut inside a tool call.
	maxCuts = 3
)

// runCalls runs the calls of one message: neighbours that are safe to run
// together in parallel, the rest one after the other. A refused call does not
// hold up those after it, unless the person ended the turn. Each call gets
// exactly one tool message, in the order of the calls. A stop reason is given
// if the turn has to end.
func (t *turn) runCalls(calls []model.ToolCall) StopReason {
	for _, c := range calls {
		t.emit(ToolCallEvent{ToolCallID: c.ID, Tool: c.Name, Status: ToolPending, Title: t.toolTitle(c.Name), Kind: t.toolKind(c.Name), Input: input(t.s.agent.cfg.Redactor.Text(c.Arguments))})
	}
	results := make([]*tools.Result, len(calls))
	aborted, stop := false, StopReason("")
	for i := 0; i < len(calls); {
		end := i + 1
		if t.s.dispatch.Concurrent(calls[i].Name, calls[i].Arguments) {
			for end < len(calls) && t.s.dispatch.Concurrent(calls[end].Name, calls[end].Arguments) {
				end++
			}
		}
		if aborted || t.ctx.Err() != nil {
			for k := i; k < end; k++ {
				results[k] = t.skip(calls[k], aborted)
			}
		} else {
			t.runTogether(calls[i:end], results[i:end])
		}
		for ; i < end; i++ {
			aborted = aborted || results[i].Abort
			if t.answer(calls[i], results[i], i == len(calls)-1) == guardStop {
				stop = StopLoop
			}
		}
	}
	switch {
	case aborted:
		return StopCancelled
	case stop == StopLoop && t.ctx.Err() == nil:
		t.emit(NoticeEvent{Level: "warning", Kind: "loop", Message: "stopped: the model kept making the same calls with the same results"})
	}
	return stop
}

// answer adds the result of a call to the history.
func (t *turn) answer(c model.ToolCall, r *tools.Result, last bool) guardVerdict {
	text := r.Text
	verdict := t.guard.note(c, r)
	if verdict == guardWarn {
		text += "\n[You have made this call several times with the same result. Try something else.]"
	}
	m := toolMessage(c.ID, text)
	m.Denied = r.Error != nil && r.Error.Code == tools.CodeDenied
	if r.Image != "" {
		m.Parts = append(m.Parts, model.Part{Image: r.Image})
	}
	if last {
		t.addNews(m)
	}
	t.add(m)
	return verdict
}

// runTogether runs calls in parallel, or the one call there is.
func (t *turn) runTogether(calls []model.ToolCall, results []*tools.Result) {
	q := newQueue(len(calls))
	if len(calls) == 1 {
		results[0] = t.runCall(calls[0], q, 0)
		return
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxParallel)
	for i, c := range calls {
		slots <- struct{}{}
		wg.Go(func() {
			results[i] = t.runCall(c, q, i)
			<-slots
		})
	}
	wg.Wait()
}

// runCall takes one call through dispatch and tells the client how it goes. A
// tool that does not heed a cancel is left behind after a moment: its result
// then says that it was cancelled, and nothing it still says is heard. The call
// is the i-th of its queue.
func (t *turn) runCall(c model.ToolCall, q *queue, i int) *tools.Result {
	p := &progress{t: t, c: c, decided: func() { q.decide(i) }}
	defer p.decided()
	done := make(chan *tools.Result, 1)
	go func() {
		done <- t.s.dispatch.Run(q.with(t.ctx, i), &tools.Invocation{
			Turn: t.id, ID: c.ID, Name: c.Name, Args: c.Arguments, Message: t.s.message,
			Hooks: tools.Hooks{Planned: p.planned, Running: p.running, Output: p.output},
		})
	}()
	var r *tools.Result
	select {
	case r = <-done:
	case <-t.ctx.Done():
		timer := time.NewTimer(cancelGrace)
		defer timer.Stop()
		select {
		case r = <-done:
		case <-timer.C:
			r = tools.ErrorResult(&tools.Error{Code: tools.CodeCancelled, Message: "cancelled by the user while it ran; it is not known what was done"})
		}
	}
	p.end(r)
	return r
}

// skip answers a call that is not run.
func (t *turn) skip(c model.ToolCall, aborted bool) *tools.Result {
	why := "not run: the turn was cancelled before"
	if aborted {
		why = "not run: the user ended the turn"
	}
	r := tools.ErrorResult(&tools.Error{Code: tools.CodeCancelled, Message: why})
	(&progress{t: t, c: c}).end(r)
	return r
}

// refuseCut answers the calls of a reply that was cut off at the model's
// length limit: the last of them is not whole, so none is run.
func (t *turn) refuseCut(calls []model.ToolCall, cuts int) StopReason {
	r := tools.ErrorResult(&tools.Error{Code: tools.CodeInvalidArguments, Message: "not run: your reply was cut off at its length limit inside a tool call",
		Hint: "Make the call again with less text, e.g. several smaller edits."})
	for _, c := range calls {
		t.emit(ToolCallEvent{ToolCallID: c.ID, Tool: c.Name, Status: ToolPending, Title: t.toolTitle(c.Name), Kind: t.toolKind(c.Name)})
		(&progress{t: t, c: c}).end(r)
		t.add(toolMessage(c.ID, r.Text))
	}
	if cuts >= maxCuts {
		return StopMaxTokens
	}
	return ""
}

func (t *turn) toolTitle(name string) string {
	if tool := t.s.dispatch.Get(name); tool != nil {
		return tool.Title
	}
	return name
}

func (t *turn) toolKind(name string) tools.Kind {
	if tool := t.s.dispatch.Get(name); tool != nil {
		return tool.Kind
	}
	return tools.KindOther
}

// input shows arguments to the client: as JSON if they are, else as a string.
func input(args string) json.RawMessage {
	if len(args) > maxShownInput {
		return nil
	}
	if json.Valid([]byte(args)) {
		return json.RawMessage(args)
	}
	b, err := json.Marshal(args)
	if err != nil {
		return nil
	}
	return b
}

// maxShownInput bounds the arguments in an update; larger ones are shown by
// the confirmation.
const maxShownInput = 64 << 10

// progress tells the client how a call goes, until its end.
type progress struct {
	t       *turn
	c       model.ToolCall
	decided func() // nothing will be asked any more

	mu    sync.Mutex
	ended bool
}

func (p *progress) tell(e Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.t.emit(e)
	}
}

func (p *progress) planned(plan *tools.Plan, level tools.Level) {
	for _, l := range plan.Locations {
		p.t.s.touch(l.Path)
	}
	p.tell(ToolCallEvent{ToolCallID: p.c.ID, Tool: p.c.Name, Status: ToolPending, Title: plan.Title, Level: level, Locations: plan.Locations})
}

func (p *progress) running() {
	p.decided()
	p.tell(ToolCallEvent{ToolCallID: p.c.ID, Tool: p.c.Name, Status: ToolInProgress})
}

func (p *progress) output(text string) {
	p.tell(ToolOutputDelta{ToolCallID: p.c.ID, Text: text})
}

func (p *progress) end(r *tools.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	status := ToolCompleted
	if r.Status == tools.Failed {
		status = ToolFailed
	}
	p.t.emit(ToolCallEvent{ToolCallID: p.c.ID, Tool: p.c.Name, Status: status, Text: r.Text, Error: r.Error, Changes: r.Changes, Stats: &r.Stats})
}
