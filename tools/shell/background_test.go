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

// TestBackgroundSecretInPieces: a secret that comes in two looks, or at the place
// where a long output is cut, is masked all the same.
func TestBackgroundSecretInPieces(t *testing.T) {
	w, call, _ := behind(t)
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	w.write("one", "key: "+secret[:20])
	w.write("two", secret[20:]+"\n")
	id := start(t, call, `cat one; sleep 1.2; cat two; exec sleep 60`)
	seen := ""
	for !strings.Contains(seen, "REDACTED") && !strings.Contains(seen, "789") {
		seen += call("background_output", map[string]any{"id": id, "wait_ms": 3000}).Text
	}
	if strings.Contains(seen, secret[:12]) || strings.Contains(seen, secret[28:]) {
		t.Errorf("%q", seen)
	}
}

// TestKeyAtTheCut: of a private key across the place where an output is cut
// nothing is shown.
func TestKeyAtTheCut(t *testing.T) {
	w := newWorld(t)
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("MIIEpAIBAAKCAQEA", 4)+"\n", 25) + "-----END RSA PRIVATE KEY-----\n"
	filler := strings.Repeat("0123456789 56789\n", 700)
	for _, rest := range []int{5000, 5400, 5800, 6200} {
		w.write("out.txt", filler+key+filler[:rest])
		if r, _ := w.run("cat out.txt"); strings.Contains(r.Text, "MIIE") {
			t.Errorf("with %d after it, a part of the key is shown", rest)
		}
	}
}
