package shell

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/process"
)

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
	}
	m, err := managerOf(w.env)
	if err != nil {
		t.Fatal(err)
	}
	if left := process.Marked(m.mark); len(left) > 0 {
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
		// A call that waits for the background would be cancelled.
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		r := w.call(ctx, args{"command": command})
		cancel()
		d := r.Data.(*RunData)
		if !strings.Contains(r.Text, "done\n") || d.ExitCode != 0 {
			t.Errorf("%s: %s", command, r.Text)
		}
		if !strings.HasPrefix(command, "setsid") && (!d.Background || !strings.Contains(r.Text, "goes on in the background")) {
			t.Errorf("%s: no word of the background: %s", command, r.Text)
		}
	}
	m, err := managerOf(w.env)
	if err != nil {
		t.Fatal(err)
	}
	if len(process.Marked(m.mark)) < 4 {
		t.Error("the background processes did not go on")
	}
	if err := w.env.Close(); err != nil {
		t.Fatal(err)
	}
	if left := process.Marked(m.mark); len(left) > 0 {
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
	if left := process.Marked(m.mark); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// A program that the workspace puts before others in PATH is not trusted.
func TestShadowedProgramIsNotSafe(t *testing.T) {
	w := newWorld(t)
	w.write("bin/cat", "#!/bin/sh\ntouch pwn\n")
	path := variable(w.env.Environ, "PATH")
	for _, p := range []string{filepath.Join(w.dir, "bin") + ":" + path, "bin:" + path, ":" + path} {
		w.env.Environ = append(w.env.Environ, "PATH="+p)
		if v := w.judge("cat a.txt"); v.level == safe {
			t.Errorf("PATH %s: cat is safe", p)
		}
		if v := w.judge("echo x"); v.level != safe {
			t.Errorf("PATH %s: echo is %s", p, v.level)
		}
	}
	w.env.Environ = append(w.env.Environ, "PATH="+path)
	if v := w.judge("cat a.txt"); v.level != safe {
		t.Errorf("cat is %s: %s", v.level, v.reason)
	}
	// The user's start-up files decide, once they have run.
	profile := "export PATH=" + filepath.Join(w.dir, "bin") + ":$PATH\n"
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".bash_profile"), []byte(profile), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := w.call(t.Context(), args{"command": "cat a.txt"}); r.Error == nil || r.Error.Code != tools.CodeConflict {
		t.Errorf("cat runs: %s", r.Text)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "pwn")); err == nil {
		t.Error("it has run a program of the workspace")
	}
	if v := w.judge("cat a.txt"); v.level == safe {
		t.Error("after a start-up file has set PATH, cat is safe")
	}
}

// Start-up files that hang do not keep a cancelled call.
func TestCancelWhileLoggingIn(t *testing.T) {
	w := newWorld(t)
	profile := "echo > " + filepath.Join(w.dir, "begun") + "; sleep 60\n"
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".bash_profile"), []byte(profile), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		process.WaitUntil(10*time.Second, func() bool {
			_, err := os.Stat(filepath.Join(w.dir, "begun"))
			return err == nil
		})
	}()
	if r := w.call(ctx, args{"command": "echo x"}); r.Error == nil || r.Error.Code != tools.CodeCancelled {
		t.Errorf("got %s", r.Text)
	}
}
