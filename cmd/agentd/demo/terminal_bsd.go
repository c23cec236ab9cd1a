//go:build unix && !linux

package demo

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushRead is FREAD of <sys/fcntl.h>: the queue of what was typed.
const flushRead = 1

// flushInput throws away what was typed and not read.
func flushInput(f *os.File) error {
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, flushRead)
}
