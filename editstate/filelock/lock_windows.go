package filelock

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// Try takes an open file for this process until it is closed; ErrLocked if
// somebody has it. The byte that is locked lies behind all that can be written,
// so that others can read.
func Try(f *os.File) error {
	at := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
