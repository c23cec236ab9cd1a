package shell

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/background"
)

// behind is a world with the tools for what runs in the background.
func behind(t *testing.T) (w *world, call func(tool string, args map[string]any) *tools.Result, notes chan tools.Note) {
	w = newWorld(t)
	reg, err := tools.NewRegistry(append(background.Set().Tools(), NewRun())...)
	if err != nil {
		t.Fatal(err)
	}
	w.d.Registry = reg
	notes = make(chan tools.Note, 100)
	w.env.Notify = func(n tools.Note) { notes <- n }
	return w, func(tool string, args map[string]any) *tools.Result {
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return w.d.Run(context.Background(), &tools.Invocation{ID: "c", Name: tool, Args: string(b)})
	}, notes
}

var taskID = regexp.MustCompile(`id (b\d+)`)

func start(t *testing.T, call func(string, map[string]any) *tools.Result, command string) string {
	t.Helper()
	r := call("run_command", map[string]any{"command": command, "background": true})
	m := taskID.FindStringSubmatch(r.Text)
	if m == nil {
		t.Fatalf("no id in %q", r.Text)
	}
	return m[1]
}

// TestBackground: start, look, wait, end.
func TestBackground(t *testing.T) {
	_, call, notes := behind(t)
	id := start(t, call, `printf 'one\ntw'; sleep 0.6; printf 'o\n\033[31mred\033[0m\n'; exec sleep 60`)
	var seen strings.Builder
	for !strings.Contains(seen.String(), "red") {
		r := call("background_output", map[string]any{"id": id, "wait_ms": 10000})
		if r.Status != tools.Success || !strings.Contains(r.Text, "runs since") {
			t.Fatalf("%q", r.Text)
		}
		text, _, _ := strings.Cut(r.Text, "[b")
		seen.WriteString(strings.TrimSuffix(text, "(no new output)\n"))
	}
	if have := seen.String(); strings.Contains(have, "\x1b") || strings.Count(have, "two") != 1 {
		t.Errorf("%q", have)
	}
	if r := call("background_list", nil); !strings.Contains(r.Text, id+"  command") {
		t.Errorf("%q", r.Text)
	}
	if r := call("background_kill", map[string]any{"id": id}); !strings.Contains(r.Text, "has ended") {
		t.Errorf("%q", r.Text)
	}
	if n := <-notes; !n.Stale() {
		t.Error("the model is told of an end that it made itself")
	}
	if r := call("background_output", map[string]any{"id": "b99"}); r.Status != tools.Failed || !strings.Contains(r.Text, "background_list") {
		t.Errorf("%q", r.Text)
	}
}

// TestBackgroundEnds: a command that fails at once says so; of one that ends
// later the model is told.
func TestBackgroundEnds(t *testing.T) {
	_, call, notes := behind(t)
	if r := call("run_command", map[string]any{"command": "echo no; exit 3", "background": true}); !strings.Contains(r.Text, "exit code 3") || !strings.Contains(r.Text, "no\n") {
		t.Errorf("%q", r.Text)
	}
	if n := <-notes; !n.Stale() {
		t.Error("the model is told twice")
	}
	id := start(t, call, "sleep 0.5; echo late; exit 4")
	n := <-notes
	if n.Stale() || !strings.Contains(n.Text, id) || !strings.Contains(n.Text, "exit code 4") {
		t.Errorf("%+v", n)
	}
	if r := call("background_output", map[string]any{"id": id}); !strings.Contains(r.Text, "late") || !n.Stale() {
		t.Errorf("%q", r.Text)
	}
}

// TestBackgroundFlood: output that nobody looks at takes no memory, and is kept
// in a file.
func TestBackgroundFlood(t *testing.T) {
	_, call, _ := behind(t)
	id := start(t, call, "sleep 0.5; seq 200000; sleep 60")
	deadline := time.Now().Add(20 * time.Second)
	for {
		r := call("background_output", map[string]any{"id": id, "wait_ms": 500})
		if strings.Contains(r.Text, "\n200000\n") {
			if len(r.Text) > 11_000 {
				t.Errorf("%d bytes", len(r.Text))
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%.300q", r.Text)
		}
	}
}

// TestBackgroundMany: there is a bound, and a session that ends takes all with
// it (the world's end fails if it does not).
func TestBackgroundMany(t *testing.T) {
	_, call, _ := behind(t)
	for range background.MaxRunning {
		start(t, call, "sleep 60 & sleep 60")
	}
	if r := call("run_command", map[string]any{"command": "sleep 60", "background": true}); r.Status != tools.Failed || !strings.Contains(r.Text, "background_kill") {
		t.Errorf("%q", r.Text)
	}
}
