//go:build unix

package shell

import (
	"os"
	"os/exec"
)

// posix says that commands are written for a POSIX shell.
const posix = true

// shellCommand makes the command line of a shell that reads nothing and writes
// all to out. With a login it has what that has set; without, it is a login
// shell itself, and until the command runs the output of the user's start-up
// files goes to /dev/null.
func shellCommand(command string, l *login, out *os.File) (cmd *exec.Cmd, after func(), err error) {
	if l == nil {
		cmd = exec.Command(findShell(), "-lc", "exec 1>&3 2>&1 3>&-\n"+command)
		cmd.ExtraFiles = []*os.File{out} // becomes 3
		return cmd, func() {}, nil
	}
	if len(l.funcs) == 0 {
		cmd = exec.Command(findShell(), "-c", command)
		cmd.Stdout, cmd.Stderr = out, out
		return cmd, func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	go func() {
		_, _ = w.Write(l.funcs) // the shell may be gone
		w.Close()
	}()
	cmd = exec.Command(findShell(), "-c", ". /dev/fd/3; exec 3<&-\n"+command)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = out, out, []*os.File{r}
	return cmd, func() { r.Close() }, nil
}

// shellLine is a command as a program with arguments, for somebody else to run.
func shellLine(command string) (program string, args []string) {
	return findShell(), []string{"-c", command}
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
