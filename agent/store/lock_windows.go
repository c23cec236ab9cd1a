package store

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the file for this process, until it is closed. The bytes that are
// locked lie behind all that can be written, so that others can read.
func lock(f *os.File) error {
	at := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrInUse
	}
	return err
}
