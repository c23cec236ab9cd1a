package shell

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/background"
)

// firstLook is how long a command that was started in the background is
// awaited: one that fails at once says so in the result.
const firstLook = 300 * time.Millisecond

// runBehind starts a command in the background.
func runBehind(ctx context.Context, c *tools.Call, m *manager, l *login, env []string) (*tools.Result, error) {
	b, err := background.Of(c.Env)
	if err != nil {
		return nil, err
	}
	w := &cleaner{}
	j, err := m.start(c.Plan.Command, l, env, w)
	if err != nil {
		return nil, notStarted(err)
	}
	began := time.Now()
	t, err := b.Start("command", firstLine(c.Plan.Command.Command), func(ctx context.Context, out io.Writer) string {
		w.to(out)
		e := j.wait(ctx, math.MaxInt64)
		w.end()
		return endingText(e, time.Since(began))
	})
	if err != nil {
		j.end(cancelGrace)
		j.m.settle(j)
		return nil, err
	}
	r := t.FirstLook(ctx, firstLook)
	if t.Ended() == "" {
		r.Text += fmt.Sprintf("\n[It goes on in the background until the session ends. background_output with id %s shows its output, background_kill ends it. You are told when it ends.]", t.ID)
	}
	r.Context = map[string]string{"cwd": c.Plan.Command.Cwd}
	return r, nil
}

func notStarted(err error) error {
	return &tools.Error{Code: tools.CodeExecution, Message: "the shell could not be started: " + err.Error(), Err: err}
}

// endingText says how a command ended.
func endingText(e ending, took time.Duration) string {
	switch {
	case e.cancelled:
		return "it was ended"
	case e.signal != "":
		return "ended by " + e.signal
	}
	return fmt.Sprintf("exit code %d%s", e.code, bySignal(e.code))
}

// cleaner makes plain text of what a command writes: without the codes for
// terminals, and of a line that is drawn again and again only the last state.
type cleaner struct {
	mu     sync.Mutex
	strip  stripper
	redraw redraw
	early  []byte // what came before there was an out
	out    io.Writer
	over   bool
}

// Write takes a piece of output. It never fails.
func (w *cleaner) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.pass(w.redraw.text(nil, w.strip.strip(nil, b)))
	}
	return len(b), nil
}

func (w *cleaner) pass(text []byte) {
	if w.out == nil {
		w.early = append(w.early, text...)
		return
	}
	_, _ = w.out.Write(text) // it takes everything
}

// to sets where the text goes.
func (w *cleaner) to(out io.Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out = out
	w.pass(w.early)
	w.early = nil
}

// end passes on an unfinished line; what comes later is dropped.
func (w *cleaner) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass(w.redraw.end(w.redraw.text(nil, w.strip.end(nil))))
	w.over = true
}
