package shell

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/process"
)

// closeGrace is how long a session's last processes may take to end by
// themselves.
const closeGrace = 300 * time.Millisecond

// manager knows the commands of one session, so that nothing of them outlives
// it.
type manager struct {
	mark   string // in the environment of all its processes
	logins logins

	mu    sync.Mutex
	n     int
	ended bool
	jobs  map[*job]bool // running, or with processes left in the background
}

type managerKey struct{}

// managerOf gives the session's manager.
func managerOf(env *tools.Env) (*manager, error) {
	c, err := env.State(managerKey{}, func() (io.Closer, error) {
		go process.EndOrphans()
		return &manager{mark: process.NewMark(), jobs: map[*job]bool{}}, nil
	})
	if err != nil {
		return nil, err
	}
	return c.(*manager), nil
}

// nextMark makes the mark of the next command.
func (m *manager) nextMark() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	return fmt.Sprintf("%s%d.", m.mark, m.n)
}

// launch starts a job's process, unless the session has ended.
func (m *manager) launch(j *job) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended {
		return errors.New("the session has ended")
	}
	g, err := process.Launch(j.cmd)
	if err != nil {
		return err
	}
	j.group = g
	m.jobs[j] = true
	return nil
}

// settle is told that a job is no longer waited for. It reports whether some
// of its processes go on.
func (m *manager) settle(j *job) bool {
	alive := j.group.Alive()
	m.mu.Lock()
	defer m.mu.Unlock()
	if !alive {
		delete(m.jobs, j)
		j.group.Forget()
	} else {
		j.group.Remember()
	}
	select {
	case <-j.closed:
		return alive
	default:
		return true // somebody holds the pipe
	}
}

// Close ends all processes of the session's commands.
func (m *manager) Close() error {
	m.mu.Lock()
	m.ended = true
	jobs := m.jobs
	m.jobs = nil
	started := m.n > 0
	m.mu.Unlock()
	if !started {
		return nil
	}
	for j := range jobs {
		j.group.Terminate()
	}
	if len(jobs) > 0 {
		process.WaitUntil(closeGrace, func() bool {
			for j := range jobs {
				if j.group.Alive() {
					return false
				}
			}
			return true
		})
	}
	for j := range jobs {
		j.group.Kill()
	}
	process.EndMarked(m.mark, closeGrace)
	for j := range jobs {
		j.group.Forget()
	}
	return nil
}
