package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// waitBroken waits until nobody reads the other end of a pipe any more. It
// reports false where that cannot be told, e.g. for a file.
func waitBroken(out *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(out.Fd())}}
	for {
		if _, err := unix.Poll(fds, -1); errors.Is(err, unix.EINTR) {
			continue
		} else if err != nil {
			return false
		}
		return fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
	}
}
