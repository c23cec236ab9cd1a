//go:build windows

package editstate

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func isNotDir(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }

const openNonblock = 0

// mayWrite asks whether this user may write a file.
func mayWrite(loc Loc) error {
	f, err := loc.root.os.OpenFile(loc.rel, os.O_WRONLY, 0)
	if err == nil {
		f.Close()
	}
	return err
}

// processLives reports whether there is a process of that number.
func processLives(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	windows.CloseHandle(h)
	return true
}
