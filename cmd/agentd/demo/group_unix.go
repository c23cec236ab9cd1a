//go:build unix

package demo

import (
	"os"
	"os/exec"
	"syscall"
)

// leaveSignals end the client; os.Interrupt first cancels.
var leaveSignals = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// showsEscapes reports whether a terminal understands escape sequences.
func showsEscapes(*os.File) bool { return true }
