//go:build unix

package shell

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// loginTime bounds the user's start-up files. They may hang, wait for an answer
// or start another shell; commands then run without them.
const loginTime = 5 * time.Second

// maxLogin bounds what is taken over from them.
const maxLogin = 4 << 20

// login is what a login shell of the user has set: the environment, and the
// functions in the shell's own writing.
//
// Start-up files take a tenth of a second and more on many machines. They are
// run once and again when one of them has changed, in place of once for each
// command; what they write does not get into any result, and what agentd sets
// for commands holds whatever they set.
type login struct {
	env   []string
	funcs []byte
}

// logins remembers the login of a session.
type logins struct {
	mu    sync.Mutex
	known *login
	stamp string
}

// get gives the login for commands with the environment base. Start-up files
// that hang or end the shell count as none. It is nil if what they set cannot
// be asked for here: then each command gets a login shell.
func (l *logins) get(ctx context.Context, base []string, dir string) *login {
	l.mu.Lock()
	defer l.mu.Unlock()
	if stamp := loginStamp(base); l.stamp != stamp {
		var err error
		if l.known, err = takeLogin(ctx, base, dir); ctx.Err() != nil {
			l.stamp = ""
			return l.known
		}
		if err != nil {
			slog.Warn("commands run without the start-up files of the shell", "err", err)
			l.known = &login{env: base}
		}
		// Taken after the run: it may itself have written one.
		l.stamp = loginStamp(base)
	}
	return l.known
}

// loginFiles are what a login shell reads, by their usual names. What they read
// in their turn is not known.
func loginFiles(home string) []string {
	files := []string{"/etc/profile", "/etc/bash.bashrc", "/etc/bashrc", "/etc/environment", "/etc/paths", "/etc/profile.d"}
	more, _ := filepath.Glob("/etc/profile.d/*")
	files = append(files, more...)
	for _, name := range []string{".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases"} {
		files = append(files, filepath.Join(home, name))
	}
	return files
}

// loginStamp changes when one of the start-up files does.
func loginStamp(env []string) string {
	var b strings.Builder
	b.WriteString("taken")
	for _, f := range loginFiles(variable(env, "HOME")) {
		if fi, err := os.Stat(f); err == nil {
			fmt.Fprintf(&b, " %s %d %d", f, fi.ModTime().UnixNano(), fi.Size())
		}
	}
	return b.String()
}

// searchPath is the PATH of the login, "" if there is none yet.
func (l *logins) searchPath() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		return ""
	}
	return variable(l.known.env, "PATH")
}

// takeLogin runs a login shell that says what it has set.
func takeLogin(ctx context.Context, base []string, dir string) (*login, error) {
	shell := findShell()
	if filepath.Base(shell) != "bash" {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command(shell, "-lc", `{ builtin printf 'agentd\0'; builtin declare -f; builtin printf '\0'; builtin command env -0; } >&3`)
	cmd.Dir, cmd.Env, cmd.ExtraFiles = dir, base, []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, err
	}
	pid := cmd.Process.Pid
	// A process that they leave behind keeps the pipe open: it is not waited
	// for, and not ended, since it may serve the user (an ssh-agent).
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	type read struct {
		b   []byte
		err error
	}
	done := make(chan read, 1)
	go func() {
		b, err := io.ReadAll(io.LimitReader(r, maxLogin))
		done <- read{b, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	select {
	case <-ended: // its exit code is that of the last file; only what it said counts
	case <-ctx.Done():
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		<-ended
		return nil, fmt.Errorf("they took longer than %s", loginTime)
	}
	if err := r.SetReadDeadline(time.Now().Add(pipeGrace)); err != nil {
		return nil, err
	}
	got := <-done
	if got.err != nil && !os.IsTimeout(got.err) {
		return nil, got.err
	}
	return parseLogin(got.b)
}

// parseLogin reads "agentd", the functions, and the variables, parted by NUL.
func parseLogin(b []byte) (*login, error) {
	rest, ok := bytes.CutPrefix(b, []byte("agentd\x00"))
	funcs, vars, both := bytes.Cut(rest, []byte{0})
	if !ok || !both || len(vars) > 0 && vars[len(vars)-1] != 0 {
		return nil, fmt.Errorf("they did not come to their end")
	}
	if len(vars) == 0 {
		return nil, nil // an env without -0
	}
	l := &login{funcs: bytes.TrimSpace(funcs)}
	for kv := range strings.SplitSeq(strings.TrimSuffix(string(vars), "\x00"), "\x00") {
		switch name, _, ok := strings.Cut(kv, "="); name {
		case "_", "SHLVL", "PWD", "OLDPWD":
		default:
			if ok {
				l.env = append(l.env, kv)
			}
		}
	}
	return l, nil
}
