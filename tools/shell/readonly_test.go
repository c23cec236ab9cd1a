//go:build linux

package shell

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cage is a workspace in which real commands run, with few programs and, if
// the tests run as root, with few rights.
type cage struct {
	t    testing.TB
	dir  string // the workspace
	base string
	path string
}

// cageTools are programs with which a command that is judged wrongly would
// leave a trace, but do little harm.
var cageTools = []string{"bash", "sh", "cat", "ls", "head", "tail", "wc", "grep", "sort", "uniq", "cut", "tr", "sed", "awk", "find", "xargs", "touch",
	"tee", "env", "nice", "timeout", "basename", "dirname", "date", "seq", "expr", "diff", "cmp", "stat", "file", "du", "sleep", "true", "false",
	"printf", "echo", "test", "tar", "od", "base64", "md5sum", "sha256sum", "paste", "join", "comm", "fold", "realpath", "readlink", "git", "id", "uname"}

func newCage(t testing.TB) *cage {
	t.Helper()
	base, err := os.MkdirTemp("", "cage")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	c := &cage{t: t, base: base, dir: filepath.Join(base, "ws"), path: filepath.Join(base, "bin")}
	for _, d := range []string{"ws/sub", "ws/src", "home", "tmp", "bin"} {
		c.must(os.MkdirAll(filepath.Join(base, d), 0o777))
	}
	for name, text := range map[string]string{"a.txt": "a\nfoo\n", "b.txt": "b\n", "sub/b.txt": "b\n", "src/a.go": "package a\n", "src/b.go": "package b\n", "x.go": "x\n", "-oevil": "x\n"} {
		c.must(os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666))
	}
	for _, name := range cageTools {
		if p, err := exec.LookPath(name); err == nil {
			c.must(os.Symlink(p, filepath.Join(c.path, name)))
		}
	}
	c.must(filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		if os.Getuid() == 0 {
			return os.Chown(path, 65534, 65534)
		}
		return nil
	}))
	c.must(os.Chmod(base, 0o755))
	return c
}

func (c *cage) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// run runs a command with bash.
func (c *cage) run(command string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", "-c", command)
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=" + c.path, "HOME=" + filepath.Join(c.base, "home"), "TMPDIR=" + filepath.Join(c.base, "tmp"), "LANG=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // it may fail; only its traces count
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// traces lists all files with their sizes and times.
func (c *cage) traces() []string {
	var out []string
	_ = filepath.WalkDir(c.base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		fi, err := d.Info()
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(c.base, path)
		if d.IsDir() {
			out = append(out, rel+"/")
			return nil
		}
		out = append(out, fmt.Sprintf("%s %d %s %s", rel, fi.Size(), fi.ModTime().Format(time.RFC3339Nano), fi.Mode()))
		return nil
	})
	return out
}

// Every command of the list of safe ones leaves no trace when it is run.
func TestSafeCommandsLeaveNoTrace(t *testing.T) {
	c := newCage(t)
	w := classifyWorld(t)
	before := c.traces()
	for _, command := range commands(safeCommands) {
		if w.judge(command).level != safe {
			continue // another test says so
		}
		c.run(command)
		if after := c.traces(); !slices.Equal(before, after) {
			t.Fatalf("%s leaves a trace:\n%s\nbefore:\n%s", command, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
	}
}

// A command that is judged to be safe leaves no trace.
func FuzzSafeLeavesNoTrace(f *testing.F) {
	for _, list := range []string{safeCommands, sensitiveCommands, dangerousCommands} {
		for _, command := range commands(list) {
			f.Add(command)
		}
	}
	c := newCage(f)
	w := classifyWorld(f)
	before := c.traces()
	f.Fuzz(func(t *testing.T, command string) {
		if strings.ContainsRune(command, 0) || len(command) > 2000 {
			return
		}
		if w.judge(command).level != safe {
			return
		}
		c.run(command)
		if after := c.traces(); !slices.Equal(before, after) {
			t.Fatalf("%q leaves a trace:\n%s", command, strings.Join(after, "\n"))
		}
	})
}
