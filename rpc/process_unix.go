//go:build unix && !linux

package rpc

import (
	"errors"
	"syscall"
	"time"
)

// waitProcess waits until a process is gone.
func waitProcess(pid int) error {
	for {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			return nil
		}
		time.Sleep(time.Second)
	}
}
