//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

func TestRunCommand(t *testing.T) {
	w := newWorld(t)
	w.write("sub/a.txt", "hello\n")
	for _, tt := range []struct {
		command, want string
		code          int
	}{
		{"echo out; echo err >&2", "out\nerr\n", 0},
		{"cat sub/a.txt", "hello\n", 0},
		{"pwd", w.dir + "\n", 0},
		{"false", "(no output)\n", 1},
		{"exit 7", "(no output)\n", 7},
		{"echo 'a &gt; b'", "a &gt; b\n", 0},       // E18
		{"printf 'no newline'", "no newline\n", 0}, // the status comes on a line of its own
		{"printf '%s' \"$BASH_VERSION\" | head -c0; echo $0 | grep -c sh", "1\n", 0},
		{"echo one\necho two # a comment", "one\ntwo\n", 0},
		{"cat <<'EOF'\n$x `y`\nEOF", "$x `y`\n", 0},
	} {
		r, d := w.run(tt.command)
		if body(r) != tt.want || d.ExitCode != tt.code {
			t.Errorf("%s: got %q, exit code %d; want %q, %d", tt.command, body(r), d.ExitCode, tt.want, tt.code)
		}
	}
	r, d := w.run("kill -SEGV $$")
	if d.ExitCode != -1 || d.Signal != "SIGSEGV" {
		t.Errorf("a signal: %+v\n%s", d, r.Text)
	}
	r, _ = w.run("no-such-program-anywhere")
	w.has(r.Text, "exit code 127 (command not found)", "no-such-program-anywhere")
	r, _ = w.run("if then")
	w.has(r.Text, "syntax error", "exit code")
}

func TestRunCwd(t *testing.T) { // P16, X13
	w := newWorld(t)
	w.write("sub/a.txt", "x")
	outside := w.dir + "-other"
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.dir, "link")); err != nil {
		t.Fatal(err)
	}
	r := w.call(t.Context(), args{"command": "pwd", "cwd": "sub"})
	if body(r) != w.dir+"/sub\n" {
		t.Errorf("cwd sub: %s", r.Text)
	}
	for cwd, want := range map[string]struct {
		code tools.Code
		text string
	}{
		"not-there":        {tools.CodeNotFound, "not-there (cwd) does not exist"},
		"sub/a.txt":        {tools.CodeInvalidArguments, "sub/a.txt is a file"},
		"../" + "ws-other": {tools.CodeOutside, "outside"},
		outside:            {tools.CodeOutside, "outside"},
		"link":             {tools.CodeOutside, "outside"},
	} {
		r := w.call(t.Context(), args{"command": "touch pwn", "cwd": cwd})
		if r.Error == nil || r.Error.Code != want.code || !strings.Contains(r.Text, want.text) {
			t.Errorf("cwd %s: %s", cwd, r.Text)
		}
	}
	if _, err := os.Stat(filepath.Join(outside, "pwn")); err == nil {
		t.Error("the command ran outside")
	}
}

// The output of start-up files is not the command's; what they set is there,
// also when they have changed meanwhile.
func TestRunProfile(t *testing.T) {
	w := newWorld(t)
	profile := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".bash_profile"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const print = "echo $FROM_PROFILE; type myfunc >/dev/null 2>&1 && myfunc; echo err >&2; echo $PAGER"
	for _, tt := range []struct{ text, want string }{
		{"echo noise; echo noise >&2; export FROM_PROFILE=yes PAGER=less\nmyfunc() { echo \"called with 'quotes' and $((1 + 1))\"; }\n", "yes\ncalled with 'quotes' and 2\nerr\ncat\n"},
		{"export FROM_PROFILE='a\nb='\n", "a b=\nerr\ncat\n"},
		{"sleep 30 &\nexport FROM_PROFILE=left-one\n", "left-one\nerr\ncat\n"},
		{"cat; read x; export FROM_PROFILE=\"no input$x\"", "no input\nerr\ncat\n"},
		{"set -e; false", "\nerr\ncat\n"},
		{"exit 3", "\nerr\ncat\n"},
		{"env() { echo no; }; command() { :; }; declare() { :; }; printf() { :; }; export FROM_PROFILE=mine", "mine\nerr\ncat\n"},
		{"export FROM_PROFILE=long\n" + "big() {\n" + strings.Repeat("  : some words to fill the function\n", 6000) + "}\n", "long\nerr\ncat\n"},
	} {
		profile(tt.text)
		for range 2 {
			r, _ := w.run(print)
			if body(r) != tt.want {
				t.Errorf("profile %.60q: got %q, want %q", tt.text, r.Text, tt.want)
			}
		}
	}
}

func TestRunHasNoInput(t *testing.T) { // X05, X06
	w := newWorld(t)
	for command, want := range map[string]string{
		"cat":                             "(no output)\n",
		"read x; echo got:$x":             "got:\n",
		"tty":                             "not a tty\n",
		"read x </dev/tty; echo rc $?":    "rc 1\n",
		"echo $TERM $GIT_TERMINAL_PROMPT": "dumb 0\n",
		"test -t 1 || echo no terminal":   "no terminal\n",
		"ls -l /proc/self/fd | grep -c '3 ->' | grep -v 9": "", // only what ls opens itself
	} {
		r, _ := w.run(command)
		if want != "" && !strings.HasSuffix(body(r), want) {
			t.Errorf("%s: got %q, want %q", command, r.Text, want)
		}
	}
}

func TestRunAfterClose(t *testing.T) {
	w := newWorld(t)
	if err := w.env.Close(); err != nil {
		t.Fatal(err)
	}
	r := w.call(t.Context(), args{"command": "echo x"})
	if r.Status != tools.Failed {
		t.Errorf("got %s", r.Text)
	}
}

func TestRunRefuses(t *testing.T) {
	w := newWorld(t)
	for _, command := range []string{" \n ", "a\x00b", strings.Repeat("x", maxCommand+1)} {
		if r := w.call(t.Context(), args{"command": command}); r.Error == nil || r.Error.Code != tools.CodeInvalidArguments {
			t.Errorf("%.20q: %s", command, r.Text)
		}
	}
}
