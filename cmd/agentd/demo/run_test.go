//go:build unix

package demo

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// binary is agentd, built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "agentd-demo-test-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "agentd")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/agentd-dev/agentd/cmd/agentd").CombinedOutput(); err != nil {
		panic(err.Error() + "\n" + string(out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// demoRun is a run of the demo in an environment of its own.
type demoRun struct {
	t    *testing.T
	home string
	cmd  *exec.Cmd
	out  screenText
}

// screenText gathers what the demo prints.
type screenText struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *screenText) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *screenText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// newRun prepares a run. MODEL is the demo's script at full speed; flags may
// say otherwise.
func newRun(t *testing.T, args ...string) *demoRun {
	t.Helper()
	r := &demoRun{t: t, home: t.TempDir()}
	if err := os.WriteFile(r.path("script"), Script, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "$HOME", r.home)
	}
	r.cmd = exec.Command(binary, append([]string{"demo"}, args...)...)
	r.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "TMPDIR=" + r.home,
		"XDG_STATE_HOME=" + r.path("state"), "XDG_CONFIG_HOME=" + r.path("config")}
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.out
	return r
}

const fast = "--model=replay:$HOME/script"

func (r *demoRun) path(name string) string { return filepath.Join(r.home, name) }

// finish runs the demo with an input and gives what it printed.
func (r *demoRun) finish(input string, exit int) string {
	r.t.Helper()
	r.cmd.Stdin = strings.NewReader(input)
	// How it ended is in ProcessState.
	_ = r.cmd.Run()
	if code := r.cmd.ProcessState.ExitCode(); code != exit {
		r.t.Fatalf("exit code %d, want %d:\n%s", code, exit, r.out.String())
	}
	return r.out.String()
}

// sample reads the edited file of the sample project.
func (r *demoRun) sample() string {
	r.t.Helper()
	found, err := filepath.Glob(r.path("agentd-demo-*/split/split.sh"))
	if err != nil || len(found) != 1 {
		r.t.Fatalf("the copies are %v (%v)", found, err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}

func original(t *testing.T) string {
	t.Helper()
	b, err := sampleFiles.ReadFile("sample/split.sh")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	at := 0
	for _, w := range wants {
		i := strings.Index(text[at:], w)
		if i < 0 {
			t.Fatalf("%q does not come (in this place):\n%s", w, text)
		}
		at += i + len(w)
	}
}

func lacks(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, u := range unwanted {
		if strings.Contains(text, u) {
			t.Errorf("%q should not be in\n%s", u, text)
		}
	}
}

func subSample(t *testing.T) fs.FS {
	t.Helper()
	sub, err := fs.Sub(sampleFiles, "sample")
	if err != nil {
		t.Fatal(err)
	}
	return sub
}
