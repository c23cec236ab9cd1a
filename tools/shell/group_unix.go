//go:build unix

package shell

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// group is the process group of a command. Its leader is the shell, which is
// also the leader of a session without a terminal: no process of it can ask
// anything at the terminal from which the daemon was started.
type group struct {
	id int
	// left is when the shell was no longer waited for; zero before that.
	// Later the number may belong to others.
	left *time.Time
}

// launch starts a command in a group of its own.
func launch(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	return group{id: cmd.Process.Pid, left: new(time.Time)}, nil
}

// remember notes that the shell is gone and others of the group go on.
func (g group) remember() {
	if g.left.IsZero() {
		*g.left = time.Now()
	}
}

func (g group) forget() {}

func (g group) terminate() { g.signal(syscall.SIGTERM) }

func (g group) kill() { g.signal(syscall.SIGKILL) }

func (g group) signal(s syscall.Signal) {
	if !g.ours() {
		return
	}
	_ = syscall.Kill(-g.id, s) // an error says that nobody is left
}

// exitOf gives the exit code of a process, or the signal that ended it.
func exitOf(s *os.ProcessState) (code int, signal string) {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, signalName(ws.Signal())
	}
	return s.ExitCode(), ""
}
