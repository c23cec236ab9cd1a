package demo

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// leaveSignals end the client; os.Interrupt first cancels.
var leaveSignals = []os.Signal{syscall.SIGTERM}

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// showsEscapes switches escape sequences on, which an old console has off.
func showsEscapes(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// flushInput throws away what was typed and not read.
func flushInput(f *os.File) error { return windows.FlushConsoleInputBuffer(windows.Handle(f.Fd())) }
