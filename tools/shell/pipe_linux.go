package shell

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen gives the pipe room, so that a command that writes much does not wait
// for each 64 KiB to be read.
func widen(pipe *os.File) {
	c, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Control(func(fd uintptr) {
		_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) // it works without
	})
}
