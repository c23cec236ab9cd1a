package scenarios

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/rogpeppe/go-internal/testscript"
)

// cmdBytes writes a file: bytes FILE 'Go-quoted text'.
func cmdBytes(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	ts.Check(os.WriteFile(file, []byte(content(ts, args[1:])), 0o644))
}

// cmdHasBytes compares a file byte by byte: hasbytes FILE 'Go-quoted text'.
func cmdHasBytes(ts *testscript.TestScript, neg bool, args []string) {
	have := ts.ReadFile(args[0])
	if (have == content(ts, args[1:])) == neg {
		ts.Fatalf("%s has %.1000q", args[0], have)
	}
}

var repeated = regexp.MustCompile(`(?s)\{\{repeat (\d+) (.+?)\}\}`)

// content is the text of a file: Go-quoted, with {{repeat N TEXT}} as the model
// has it.
func content(ts *testscript.TestScript, args []string) string {
	return repeated.ReplaceAllStringFunc(unquote(ts, strings.Join(args, " ")), func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, err := strconv.Atoi(m[1])
		ts.Check(err)
		return strings.Repeat(m[2], n)
	})
}

// cmdWait waits until a file has a text: wait FILE TEXT.
func cmdWait(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	want := strings.Join(args[1:], " ")
	for deadline := time.Now().Add(editor.Patience); ; time.Sleep(5 * time.Millisecond) {
		if b, err := os.ReadFile(file); err == nil && strings.Contains(string(b), want) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s does not get %q", args[0], want)
		}
	}
}

// cmdPause lets time pass: pause DURATION. For stories whose subject is time.
func cmdPause(ts *testscript.TestScript, _ bool, args []string) {
	d, err := time.ParseDuration(args[0])
	ts.Check(err)
	time.Sleep(d)
}

// cmdProcesses checks that no process has a text in its command line:
// ! processes TEXT; or that one has.
func cmdProcesses(ts *testscript.TestScript, neg bool, args []string) {
	want := strings.Join(args, " ")
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if running(want) != neg {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("processes with %q: %v", want, !neg)
		}
	}
}

// running looks for a live process by its command line.
func running(text string) bool {
	dirs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return false
	}
	for _, d := range dirs {
		b, err := os.ReadFile(d)
		if err != nil || !strings.Contains(strings.ReplaceAll(string(b), "\x00", " "), text) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(d)))
		if err == nil && pid != os.Getpid() && syscall.Kill(pid, 0) == nil {
			return true
		}
	}
	return false
}

// cmdLogged checks what the daemon wrote to stderr: logged TEXT.
func cmdLogged(ts *testscript.TestScript, neg bool, args []string) {
	text := storyOf(ts).ed.Stderr()
	if strings.Contains(text, strings.Join(args, " ")) == neg {
		ts.Fatalf("stderr:\n%s", text)
	}
}

// unquote reads the escapes of a Go string; the quotes may be left out.
func unquote(ts *testscript.TestScript, s string) string {
	if !strings.HasPrefix(s, `"`) {
		s = `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	}
	out, err := strconv.Unquote(s)
	if err != nil {
		ts.Fatalf("%s: %v", s, err)
	}
	return out
}
