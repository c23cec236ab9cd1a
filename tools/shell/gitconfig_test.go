//go:build unix

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

// repository makes the workspace a repository with one commit and a change.
func (w *world) repository() {
	w.t.Helper()
	w.write("a.txt", "one\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "first"}} {
		w.git(args...)
	}
	w.write("a.txt", "two\n")
}

func (w *world) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", w.dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// A command that runs unasked because it reads must not run a program that
// the repository's own configuration names.
func TestGitReadsRunNothing(t *testing.T) { // P13
	for _, config := range []string{
		"[core]\n\tfsmonitor = touch pwn\n",
		"[core]\n\tpager = touch pwn\n[pager]\n\tlog = touch pwn\n\tdiff = touch pwn\n",
		"[diff]\n\texternal = touch pwn\n",
		"[diff \"x\"]\n\ttextconv = touch pwn\n",
		"[diff \"x\"] textconv = touch pwn\n",
		"[diff \"x\"]\n\tcommand = touch pwn\n",
		"[filter \"x\"]\n\tclean = touch pwn\n",
		"[filter \"x\"]\n\tprocess = touch pwn\n",
		"[include]\n\tpath = ../evil\n",
		"[includeIf \"gitdir:/\"]\n\tpath = ../evil\n",
		"[core]\n\thooksPath = hooks\n",
		"[gpg]\n\tprogram = touch pwn\n[log]\n\tshowSignature = true\n",
	} {
		w := newWorld(t)
		w.repository()
		w.write("evil", "[diff \"x\"]\n\ttextconv = touch pwn\n")
		w.write("hooks/post-index-change", "#!/bin/sh\ntouch pwn\n")
		w.write(".gitattributes", "* diff=x filter=x\n")
		f, err := os.OpenFile(filepath.Join(w.dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(config); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"git status", "git diff", "git log -p", "git show", "git blame a.txt", "git grep one", "git --no-pager log -3"} {
			if w.judge(command).level != safe {
				continue
			}
			r, _ := w.run(command)
			if _, err := os.Stat(filepath.Join(w.dir, "pwn")); err == nil {
				t.Fatalf("with %q, %s ran a program: %s", config, command, r.Text)
			}
		}
	}
}

func TestGitReads(t *testing.T) {
	w := newWorld(t)
	w.repository()
	index := func() string {
		b, err := os.ReadFile(filepath.Join(w.dir, ".git/index"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := index()
	for command, want := range map[string]string{
		"git status --short": " M a.txt",
		"git diff":           "+two",
		"git log --oneline":  "first",
		"git show --stat":    "a.txt",
	} {
		if v := w.judge(command); v.level != safe {
			t.Errorf("%s: %s", command, v.reason)
		}
		r, d := w.run(command)
		if d.ExitCode != 0 || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s", command, r.Text)
		}
	}
	if index() != before {
		t.Error("reading has written the index")
	}
}

func TestGitHasNoPager(t *testing.T) { // X07
	w := newWorld(t)
	w.repository()
	for range 200 {
		w.git("commit", "-q", "--allow-empty", "-m", "again")
	}
	w.env.Environ = append(w.env.Environ, "GIT_PAGER=less", "PAGER=less")
	for _, command := range []string{"git log --oneline", "git -p log --oneline"} {
		r := w.call(t.Context(), args{"command": command, "timeout_ms": 20000})
		if n := strings.Count(r.Text, "again"); n != 200 || r.Status != tools.Success {
			t.Errorf("%s: %d commits, %s", command, n, r.Status)
		}
	}
}

func TestRunsPrograms(t *testing.T) {
	for config, want := range map[string]string{
		"[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"o\"]\n\turl = https://x/clean.git\n\tfetch = +a:b\n[branch \"clean\"]\n\tremote = o\n": "",
		"[user]\n\tname = command\n":             "",
		"[Diff \"x\"]\n\tTextConv=a\n":           "textconv",
		"[diff \"]x\"]textconv=a\n":              "textconv",
		" [ include ]\n":                         "include",
		"[filter \"lfs\"]\n\tsmudge = git-lfs\n": "smudge",
		"[core]\n\tworktree = /\n":               "worktree",
	} {
		if got := runsPrograms(config); got != want {
			t.Errorf("%q: %q, want %q", config, got, want)
		}
	}
}
