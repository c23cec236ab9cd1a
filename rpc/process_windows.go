package rpc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
)

// waitProcess waits until a process is gone.
func waitProcess(pid int) error {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return nil // no such process
	}
	if err != nil {
		return fmt.Errorf("watching process %d: %w", pid, err)
	}
	defer windows.CloseHandle(h)
	_, err = windows.WaitForSingleObject(h, windows.INFINITE)
	return err
}
