//go:build unix

package shell

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// The output of start-up files is not the command's; what they set is there.
func TestRunProfile(t *testing.T) {
	w := newWorld(t)
	profile := "echo noise; echo noise >&2; export FROM_PROFILE=yes\nmyfunc() { echo called; }\n"
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".bash_profile"), []byte(profile), 0o644); err != nil {
		t.Fatal(err)
	}
	r, _ := w.run("echo $FROM_PROFILE; myfunc; echo err >&2")
	if body(r) != "yes\ncalled\nerr\n" {
		t.Errorf("got %q", r.Text)
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

func TestRunTimeout(t *testing.T) { // X01
	w := newWorld(t)
	sentinel := filepath.Join(w.dir, "sentinel")
	for _, command := range []string{
		"(sleep 5; echo late > sentinel) ; true",
		"sleep 5 | cat",
		"trap '' TERM; sleep 5; echo late > sentinel",
		"setsid sh -c 'sleep 5; echo late > sentinel' & sleep 5",
		"echo begin; sleep 5",
	} {
		start := time.Now()
		r := w.call(t.Context(), args{"command": command, "timeout_ms": 300})
		if r.Status != tools.Partial || r.Error == nil || r.Error.Code != tools.CodeTimeout || r.Fault {
			t.Errorf("%s: %s %+v", command, r.Status, r.Error)
		}
		w.has(r.Text, "took longer than 0.3 s")
		if strings.Contains(command, "begin") {
			w.has(r.Text, "begin\n")
		}
		if d := r.Data.(*RunData); !d.TimedOut || d.Background {
			t.Errorf("%s: %+v", command, d)
		}
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("%s: back after %s only", command, took)
		}
	}
	m, err := managerOf(w.env)
	if err != nil {
		t.Fatal(err)
	}
	if left := marked(markName + "=" + m.id); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	if _, err := os.Stat(sentinel); err == nil {
		t.Error("an ended command went on")
	}
}

func TestRunBackground(t *testing.T) { // X03
	w := newWorld(t)
	for _, command := range []string{
		"sleep 60 & echo done",
		"(while :; do echo x; sleep 0.1; done) & echo done",
		"sleep 60 >/dev/null 2>&1 & echo done",
		"setsid sleep 60 & echo done",
	} {
		start := time.Now()
		r, d := w.run(command)
		if !strings.Contains(r.Text, "done\n") || d.ExitCode != 0 {
			t.Errorf("%s: %s", command, r.Text)
		}
		if !strings.HasPrefix(command, "setsid") && (!d.Background || !strings.Contains(r.Text, "goes on in the background")) {
			t.Errorf("%s: no word of the background: %s", command, r.Text)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s: back after %s only", command, took)
		}
	}
	m, err := managerOf(w.env)
	if err != nil {
		t.Fatal(err)
	}
	if len(marked(markName+"="+m.id)) < 4 {
		t.Error("the background processes did not go on")
	}
	start := time.Now()
	if err := w.env.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("closing took %s", took)
	}
	if left := marked(markName + "=" + m.id); len(left) > 0 {
		t.Errorf("processes outlive the session: %v", left)
	}
}

// A process of the background that clears its environment is ended too.
func TestCloseEndsUnmarked(t *testing.T) {
	w := newWorld(t)
	r, _ := w.run("env -i sleep 61 >/dev/null 2>&1 & echo $!")
	pid := strings.Fields(r.Text)[0]
	alive := func() bool {
		_, err := os.Stat("/proc/" + pid)
		b, _ := os.ReadFile("/proc/" + pid + "/stat")
		return err == nil && !strings.Contains(string(b), ") Z ")
	}
	if !alive() {
		t.Fatal("it did not go on")
	}
	if err := w.env.Close(); err != nil {
		t.Fatal(err)
	}
	if alive() {
		t.Error("it outlives the session")
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

func TestRunCancel(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan struct{})
	go func() {
		<-started
		cancel()
	}()
	b := `{"command": "echo begin; sleep 30"}`
	var once bool
	r := w.d.Run(ctx, &tools.Invocation{ID: "c", Name: "run_command", Args: b, Hooks: tools.Hooks{Output: func(string) {
		if !once {
			once = true
			close(started)
		}
	}}})
	if r.Status != tools.Failed || r.Error.Code != tools.CodeCancelled {
		t.Errorf("%s %+v", r.Status, r.Error)
	}
	w.has(r.Text, "begin\n", "cancelled by the user")
	m, err := managerOf(w.env)
	if err != nil {
		t.Fatal(err)
	}
	if left := marked(markName + "=" + m.id); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
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
