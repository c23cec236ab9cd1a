//go:build unix && !linux

package shell

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// alive reports whether a process of the group exists.
func (g group) alive() bool { return syscall.Kill(-g.id, 0) == nil }

// ours reports whether the number of the group still means this command's
// group. It cannot be told here; numbers are given again late.
func (g group) ours() bool { return g.alive() }

// endMarked would end processes that have left the group of their command;
// their environment cannot be read here, so they go on.
func endMarked(string, time.Duration) {}

func widen(*os.File) {}

func signalName(s syscall.Signal) string {
	if n := unix.SignalName(s); n != "" {
		return n
	}
	return s.String()
}
