package shell

import (
	"os"
	"os/exec"
	"syscall"
)

// shellCommand makes the command line for PowerShell, without the user's
// profile and without questions, writing all to out.
func shellCommand(command string, out *os.File) *exec.Cmd {
	cmd := exec.Command(findShell(), powerShellArgs(command)...)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd
}

// findShell prefers PowerShell 7 to the one that comes with Windows.
func findShell() string {
	if p, err := exec.LookPath("pwsh.exe"); err == nil {
		return p
	}
	return "powershell.exe"
}

// posix says that commands are written for a POSIX shell.
const posix = false

// newGroup keeps Ctrl-C at the daemon's console away from commands.
var newGroup = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
