package shell

import (
	"context"
	"os"
	"os/exec"
)

// shellCommand makes the command line for PowerShell, without the user's
// profile and without questions, writing all to out.
func shellCommand(command string, _ *login, out *os.File) (cmd *exec.Cmd, after func(), err error) {
	cmd = exec.Command(findShell(), powerShellArgs(command)...)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, func() {}, nil
}

// shellLine is a command as a program with arguments, for somebody else to run.
func shellLine(command string) (program string, args []string) {
	return findShell(), powerShellArgs(command)
}

// login would be what start-up files set; PowerShell runs without them.
type login struct{ env []string }

type logins struct{}

func (*logins) get(context.Context, []string, string) *login { return nil }

func (*logins) searchPath() string { return "" }

// findShell prefers PowerShell 7 to the one that comes with Windows.
func findShell() string {
	if p, err := exec.LookPath("pwsh.exe"); err == nil {
		return p
	}
	return "powershell.exe"
}

// posix says that commands are written for a POSIX shell.
const posix = false
