//go:build unix

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// claimStdout keeps a private copy of stdout for the protocol and points fd 1
// at stderr: whatever else writes to stdout, a library or a child process,
// cannot break a frame.
func claimStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("claiming stdout: %w", err)
	}
	if err := redirect(2, 1); err != nil {
		// No stderr: what is astray goes nowhere.
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err == nil {
			err = redirect(int(null.Fd()), 1)
		}
		if err != nil {
			return nil, fmt.Errorf("claiming stdout: %w", err)
		}
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}
