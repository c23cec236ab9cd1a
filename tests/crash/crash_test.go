// Package crash kills the daemon at random moments while it writes.
package crash

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

// TestKilledWhileWriting lets a daemon write two files again and again, kills
// it with SIGKILL at a random moment, and looks: each file is one of the
// contents that were written, whole, and nothing else is in the folder. This
// goes on until a thousand writes have been made.
func TestKilledWhileWriting(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "agentd")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/agentd-dev/agentd/cmd/agentd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	filler := strings.Repeat("x", 200_000)
	content := func(gen int) string { return fmt.Sprintf("generation %d\n%s\nend %d\n", gen, filler, gen) }
	ws, state := filepath.Join(dir, "ws"), filepath.Join(dir, "state")
	if err := os.MkdirAll(ws, 0o755); err != nil {
		t.Fatal(err)
	}
	// Each message rewrites a.txt by an edit and makes a new file; the model
	// never ends.
	var script strings.Builder
	script.WriteString("call read_file {\"path\":\"a.txt\"}\n")
	const writes = 100
	for i := range writes {
		fmt.Fprintf(&script, "---\ncall edit_file {\"path\":\"a.txt\",\"edits\":[{\"old_string\":\"generation %d\\n\",\"new_string\":\"generation %d\\n\"},{\"old_string\":\"end %d\\n\",\"new_string\":\"end %d\\n\"}]}\n", i, i+1, i, i+1)
		fmt.Fprintf(&script, "call write_file {\"path\":\"new%d.txt\",\"content\":\"{{repeat 5000 0123456789}}\"}\n", i)
	}
	script.WriteString("---\ntext done\n")

	r := rand.New(rand.NewPCG(1, 1))
	total := 0
	for round := 0; total < 1000; round++ {
		if round == 1000 {
			t.Fatalf("only %d writes in %d rounds", total, round)
		}
		m, err := fakemodel.New(script.String())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(ws, "a.txt"), []byte(content(0)), 0o644); err != nil {
			t.Fatal(err)
		}
		ed, err := editor.Start(exec.Command(binary, "--base-url", m.URL, "--model", "fake", "--state-dir", state), false)
		if err != nil {
			t.Fatal(err)
		}
		var s struct{ SessionID string }
		if err := ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{}}, nil); err != nil {
			t.Fatal(err)
		}
		if err := ed.Call(2, "session/new", map[string]any{"cwd": ws, "mode": "auto"}, &s); err != nil {
			t.Fatal(err)
		}
		if err := ed.Request(3, "session/prompt", map[string]any{"sessionId": s.SessionID, "prompt": []any{map[string]any{"type": "text", "text": "go"}}}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ed.Wait(0, func(m editor.Message) bool { return strings.Contains(string(m.Raw), "Edited a.txt") }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.IntN(150_000)) * time.Microsecond)
		ed.Kill()
		m.Close()

		b, err := os.ReadFile(filepath.Join(ws, "a.txt"))
		var gen int
		_, scanErr := fmt.Sscanf(string(b), "generation %d", &gen)
		if err != nil || scanErr != nil || string(b) != content(gen) {
			t.Fatalf("round %d: a.txt is broken (%v): %.60q ... %.60q", round, err, b, b[max(0, len(b)-60):])
		}
		entries, err := os.ReadDir(ws)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			path := filepath.Join(ws, e.Name())
			if e.Name() == "a.txt" {
				continue
			}
			b, err := os.ReadFile(path)
			if err != nil || !strings.HasPrefix(e.Name(), "new") || len(b) != 50_000 {
				t.Fatalf("round %d: %s has %d bytes (%v)", round, e.Name(), len(b), err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			total++
		}
		total += gen
	}
}
