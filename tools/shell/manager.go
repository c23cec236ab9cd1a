package shell

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

// markName is an environment variable that names the session and the command
// to which a process belongs, whatever process group it has moved to.
const markName = "AGENTD_SESSION"

// closeGrace is how long a session's last processes may take to end by
// themselves.
const closeGrace = 300 * time.Millisecond

// manager knows the commands of one session, so that nothing of them outlives
// it.
type manager struct {
	id     string
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
		go endOrphans()
		return &manager{id: fmt.Sprintf("%d-%s", os.Getpid(), rand.Text()), jobs: map[*job]bool{}}, nil
	})
	if err != nil {
		return nil, err
	}
	return c.(*manager), nil
}

// mark makes the mark of the next command.
func (m *manager) mark() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	return fmt.Sprintf("%s=%s.%d.", markName, m.id, m.n)
}

// launch starts a job's process, unless the session has ended.
func (m *manager) launch(j *job) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended {
		return errors.New("the session has ended")
	}
	g, err := launch(j.cmd)
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
	alive := j.group.alive()
	m.mu.Lock()
	defer m.mu.Unlock()
	if !alive {
		delete(m.jobs, j)
		j.group.forget()
	} else {
		j.group.remember()
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
		j.group.terminate()
	}
	if len(jobs) > 0 {
		waitUntil(closeGrace, func() bool {
			for j := range jobs {
				if j.group.alive() {
					return false
				}
			}
			return true
		})
	}
	for j := range jobs {
		j.group.kill()
	}
	endMarked(fmt.Sprintf("%s=%s.", markName, m.id), closeGrace)
	for j := range jobs {
		j.group.forget()
	}
	return nil
}

// waitUntil looks every few milliseconds whether done holds, for at most d.
func waitUntil(d time.Duration, done func() bool) bool {
	deadline := time.Now().Add(d)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		if time.Now().After(deadline) {
			return false
		}
		<-tick.C
	}
	return true
}
