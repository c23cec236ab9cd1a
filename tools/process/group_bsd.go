//go:build unix && !linux

package process

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Alive reports whether a process of the group exists.
func (g Group) Alive() bool { return syscall.Kill(-g.id, 0) == nil }

// ours reports whether the number of the group still means this command's
// group. It cannot be told here; numbers are given again late.
func (g Group) ours() bool { return g.Alive() }

// EndMarked would end processes that have left the group of their command;
// their environment cannot be read here, so they go on.
func EndMarked(string, time.Duration) {}

func signalName(s syscall.Signal) string {
	if n := unix.SignalName(s); n != "" {
		return n
	}
	return s.String()
}
