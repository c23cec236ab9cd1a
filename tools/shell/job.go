package shell

import (
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/process"
)

const (
	// pipeBytes is the size of the pipe for output, where it can be set.
	pipeBytes = 512 << 10
	// pipeGrace is how long the output is awaited after the shell has ended:
	// processes in the background may hold the pipe for ever.
	pipeGrace = 200 * time.Millisecond
	// termGrace is how long processes may take to end by themselves.
	termGrace = 500 * time.Millisecond
	// cancelGrace is the same when the user waits for it.
	cancelGrace = 150 * time.Millisecond
	// lostGrace is how long a killed shell is awaited.
	lostGrace = 2 * time.Second
)

// job is one running command: a shell with all that it has started.
type job struct {
	m      *manager
	mark   string // in the environment of all its processes
	cmd    *exec.Cmd
	group  process.Group
	exited chan struct{} // the shell has ended
	closed chan struct{} // nobody can write output any more
}

// ending says how a command ended.
type ending struct {
	code       int
	signal     string
	timedOut   bool
	cancelled  bool
	background bool // something of it goes on
}

// start starts a command whose output goes to out.
func (m *manager) start(c *tools.Command, l *login, env []string, out io.Writer) (*job, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	widen(r)
	mark := m.nextMark()
	j := &job{m: m, mark: mark, exited: make(chan struct{}), closed: make(chan struct{})}
	var after func()
	if j.cmd, after, err = shellCommand(c.Command, l, w); err == nil {
		j.cmd.Dir, j.cmd.Env = c.Cwd, append(env, mark)
		err = m.launch(j)
		after()
	}
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	go func() {
		defer close(j.closed)
		defer r.Close()
		drain(r, out)
	}()
	go func() {
		// How it ended is in ProcessState.
		_ = j.cmd.Wait()
		close(j.exited)
	}()
	return j, nil
}

// floodPause is the pause between two pieces of an output that is longer than
// anybody will read: about a gigabyte a second is taken, for little of the
// daemon's time.
const floodPause = 500 * time.Microsecond

// drain reads all output, also what nobody wants any more: a background
// process must not be ended for writing.
func drain(r io.Reader, out io.Writer) {
	b := make([]byte, 64<<10)
	total := 0
	for {
		n, err := r.Read(b)
		if n > 0 {
			_, _ = out.Write(b[:n]) // it takes everything
		}
		if err != nil {
			return
		}
		if total += n; total > fullBytes {
			if len(b) < pipeBytes {
				b = make([]byte, pipeBytes)
			}
			time.Sleep(floodPause)
		}
	}
}

// wait waits until the command has ended, or ends it when its time is over or
// ctx is done.
func (j *job) wait(ctx context.Context, limit time.Duration) ending {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var e ending
	select {
	case <-j.exited:
	case <-timer.C:
		e.timedOut = true
		j.end(termGrace)
	case <-ctx.Done():
		e.cancelled = true
		j.end(cancelGrace)
	}
	if !e.timedOut && !e.cancelled {
		select {
		case <-j.closed:
		case <-ctx.Done():
			e.cancelled = true
			j.end(cancelGrace)
		case <-time.After(pipeGrace):
		}
	}
	select {
	case <-j.exited:
		e.code, e.signal = process.ExitOf(j.cmd.ProcessState)
	default:
		e.code = -1
	}
	e.background = j.m.settle(j)
	return e
}

// end ends all processes of the command: it asks them to, and after grace it
// does not ask.
func (j *job) end(grace time.Duration) {
	j.group.Terminate()
	select {
	case <-j.exited:
		// The shell is gone; what it started may need a little longer.
		if !j.group.Alive() {
			break
		}
		select {
		case <-j.closed:
		case <-time.After(grace):
		}
	case <-time.After(grace):
	}
	j.group.Kill()
	process.EndMarked(j.mark, 0)
	select {
	case <-j.exited:
	case <-time.After(lostGrace):
	}
	select {
	case <-j.closed:
	case <-time.After(pipeGrace):
	}
}
