//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Group is the process group of a command. Its leader is the shell, which is
// also the leader of a session without a terminal: no process of it can ask
// anything at the terminal from which the daemon was started.
type Group struct {
	id int
	// left is when the shell was no longer waited for; zero before that.
	// Later the number may belong to others.
	left *time.Time
}

// Launch starts a command in a group of its own.
func Launch(cmd *exec.Cmd) (Group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return Group{}, err
	}
	return Group{id: cmd.Process.Pid, left: new(time.Time)}, nil
}

// LaunchKept starts a command that is not to end with the daemon.
func LaunchKept(cmd *exec.Cmd) (Group, error) { return Launch(cmd) }

// Remember notes that the shell is gone and others of the group go on.
func (g Group) Remember() {
	if g.left.IsZero() {
		*g.left = time.Now()
	}
}

// Forget lets go of the group once it is empty.
func (g Group) Forget() {}

// Terminate asks all of the group to end.
func (g Group) Terminate() { g.signal(syscall.SIGTERM) }

// Kill ends all of the group.
func (g Group) Kill() { g.signal(syscall.SIGKILL) }

func (g Group) signal(s syscall.Signal) {
	if !g.ours() {
		return
	}
	_ = syscall.Kill(-g.id, s) // an error says that nobody is left
}

// ExitOf gives the exit code of a process, or the signal that ended it.
func ExitOf(s *os.ProcessState) (code int, signal string) {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, signalName(ws.Signal())
	}
	return s.ExitCode(), ""
}
