//go:build unix

package shell

import (
	"os"
	"os/exec"
)

// prelude runs before the command, in the same shell: until then the output
// of the user's start-up files goes to /dev/null.
const prelude = "exec 1>&3 2>&1 3>&-\n"

// shellCommand makes the command line: a login shell, as the user's own
// terminal has, reading nothing and writing all to out.
func shellCommand(command string, out *os.File) *exec.Cmd {
	cmd := exec.Command(findShell(), "-lc", prelude+command)
	cmd.ExtraFiles = []*os.File{out} // becomes 3
	return cmd
}

// findShell finds bash, else the system's plain shell. The usual places come
// before PATH, which may name folders of the workspace.
func findShell() string {
	for _, p := range []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"} {
		if fi, err := os.Stat(p); err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
			return p
		}
	}
	if p, err := exec.LookPath("bash"); err == nil {
		return p
	}
	return "/bin/sh"
}

// posix says that commands are written for a POSIX shell.
const posix = true
