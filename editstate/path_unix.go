//go:build unix

package editstate

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// openNonblock keeps the opening of a FIFO from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

// mayWrite asks whether this user may write a file, without opening it: that
// would wake whoever watches it. It is only a question; the write has the last
// word.
func mayWrite(loc Loc) error { return unix.Access(loc.Path(), unix.W_OK) }

// processLives reports whether there is a process of that number.
func processLives(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
