// Package background keeps what goes on behind a session's turns: commands and
// subagents that were started and not waited for, with the tools to look at
// their output and to end them.
package background

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// MaxRunning bounds the tasks that run at a time in one session.
	MaxRunning = 16
	// keepEnded is how many ended tasks are remembered.
	keepEnded = 32
	// closeGrace is how long tasks may take to end with their session.
	closeGrace = 2 * time.Second
)

// ErrSessionEnds is the cause of the end of a task whose session ends.
var ErrSessionEnds = errors.New("the session ends")

// Work does what a task does, writes its output, and ends when ctx does. ended
// says how it went, in a few words.
type Work func(ctx context.Context, out io.Writer) (ended string)

// Task is one thing that goes on in the background. It is safe for concurrent
// use.
type Task struct {
	ID    string
	Kind  string // "command", "subagent"
	Title string

	began  time.Time
	out    *buffer
	cancel context.CancelCauseFunc
	done   chan struct{}

	mu    sync.Mutex
	ended string // "" while it runs
	took  time.Duration
	told  bool // the model knows that it has ended
}

// Manager holds the tasks of one session. It is safe for concurrent use.
type Manager struct {
	env *tools.Env

	mu     sync.Mutex
	n      int
	tasks  []*Task // oldest first
	closed bool
}

type managerKey struct{}

// Of gives the session's manager, made on first use.
func Of(env *tools.Env) (*Manager, error) {
	c, err := env.State(managerKey{}, func() (io.Closer, error) { return &Manager{env: env}, nil })
	if err != nil {
		return nil, err
	}
	return c.(*Manager), nil
}

// Start starts a task and gives it back at once.
func (m *Manager) Start(kind, title string, work Work) (*Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, &tools.Error{Code: tools.CodeUnavailable, Message: "the session has ended"}
	}
	running := 0
	for _, t := range m.tasks {
		if t.Ended() == "" {
			running++
		}
	}
	if running >= MaxRunning {
		return nil, &tools.Error{Code: tools.CodeUnavailable, Message: fmt.Sprintf("%d tasks run in the background already, which is the most", running),
			Hint: "Look at them with background_list and end one with background_kill."}
	}
	m.n++
	ctx, cancel := context.WithCancelCause(context.Background())
	t := &Task{ID: fmt.Sprintf("b%d", m.n), Kind: kind, Title: title, began: time.Now(), out: newBuffer(m.env.Spool), cancel: cancel, done: make(chan struct{})}
	m.tasks = append(m.tasks, t)
	m.forget()
	go m.run(ctx, t, work)
	return t, nil
}

// forget drops the oldest ended tasks when there are many. m.mu is held.
func (m *Manager) forget() {
	ended := 0
	for i := len(m.tasks) - 1; i >= 0; i-- {
		if m.tasks[i].Ended() == "" {
			continue
		}
		if ended++; ended > keepEnded {
			m.tasks = slices.Delete(m.tasks, i, i+1)
		}
	}
}

func (m *Manager) run(ctx context.Context, t *Task, work Work) {
	defer t.cancel(nil)
	ended := work(ctx, t.out)
	if ended == "" {
		ended = "ended"
	}
	t.out.end()
	t.mu.Lock()
	t.ended, t.took = ended, time.Since(t.began)
	t.mu.Unlock()
	close(t.done)
	m.mu.Lock()
	closed := m.closed
	m.mu.Unlock()
	if !closed && m.env.Notify != nil {
		m.env.Notify(tools.Note{
			Text:  fmt.Sprintf("The background task %s (%s) has ended: %s.", t.ID, t.Title, ended),
			Stale: t.known,
			Hint:  fmt.Sprintf("background_output %s shows the rest of its output.", t.ID),
		})
	}
}

// Ended says how the task ended; "" while it runs.
func (t *Task) Ended() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// known reports whether the model has seen the end of the task already.
func (t *Task) known() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.told
}

// Kill ends the task and waits until it has ended.
func (t *Task) Kill(ctx context.Context) error {
	t.cancel(nil)
	select {
	case <-t.done:
		t.mu.Lock()
		t.told = true
		t.mu.Unlock()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Get finds a task.
func (m *Manager) Get(id string) (*Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tasks {
		if t.ID == id {
			return t, nil
		}
	}
	hint := "Nothing was started in the background."
	if len(m.tasks) > 0 {
		hint = "background_list shows those that there are."
	}
	return nil, &tools.Error{Code: tools.CodeNotFound, Message: fmt.Sprintf("there is no background task %q", id), Hint: hint}
}

// List lists the tasks, oldest first.
func (m *Manager) List() []*Task {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.tasks)
}

// Close ends all tasks.
func (m *Manager) Close() error {
	m.mu.Lock()
	m.closed = true
	tasks := m.tasks
	m.tasks = nil
	m.mu.Unlock()
	for _, t := range tasks {
		t.cancel(ErrSessionEnds)
	}
	deadline := time.After(closeGrace)
	for _, t := range tasks {
		select {
		case <-t.done:
		case <-deadline:
			return fmt.Errorf("the background task %s (%s) does not end", t.ID, t.Title)
		}
	}
	return nil
}
