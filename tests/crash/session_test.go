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

// TestKilledSession kills a daemon 500 times, at random moments of its turns, and
// opens the same session again each time: it always loads, the model's server
// always gets a valid request, and no command is ever run twice.
func TestKilledSession(t *testing.T) {
	const kills = 500
	dir := t.TempDir()
	binary := filepath.Join(dir, "agentd")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/agentd-dev/agentd/cmd/agentd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ws, state := filepath.Join(dir, "ws"), filepath.Join(dir, "state")
	if err := os.MkdirAll(ws, 0o755); err != nil {
		t.Fatal(err)
	}
	ledger := filepath.Join(ws, "ledger")
	r := rand.New(rand.NewPCG(2, 2))
	session := ""
	for round := range kills + 1 {
		var script strings.Builder
		for i := range 3 {
			fmt.Fprintf(&script, "chunks 3\ntext \"I do step %d.\\n\"\ncall run_command {\"command\":\"echo %d-%d >> ledger\"}\ncall write_file {\"path\":\"f%d-%d.txt\",\"content\":\"x\\n\"}\ncall list_directory {}\n---\n", i, round, i, round, i)
		}
		script.WriteString("text done\n---\nforever\ntext more\n")
		m, err := fakemodel.New(script.String())
		if err != nil {
			t.Fatal(err)
		}
		ed, err := editor.Start(exec.Command(binary, "--base-url", m.URL, "--model", "fake", "--state-dir", state), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{}}, nil); err != nil {
			t.Fatal(err)
		}
		open := map[string]any{"mode": "auto", "enable": []string{"run_command"}}
		method := "session/new"
		if session != "" {
			method, open["sessionId"] = "session/load", session
		} else {
			open["cwd"] = ws
		}
		var s struct{ SessionID string }
		if err := ed.Call(2, method, open, &s); err != nil {
			t.Fatalf("round %d: %s: %v", round, method, err)
		}
		prompt := map[string]any{"sessionId": s.SessionID, "prompt": []any{map[string]any{"type": "text", "text": fmt.Sprint("round ", round)}}}
		if round == kills {
			var end struct{ StopReason string }
			if err := ed.Call(3, "session/prompt", prompt, &end); err != nil || end.StopReason != "end_turn" {
				t.Fatalf("the last prompt: %q, %v", end.StopReason, err)
			}
			ed.Kill()
		} else {
			if err := ed.Request(3, "session/prompt", prompt); err != nil {
				t.Fatal(err)
			}
			// The session is stored from its first prompt on.
			if _, _, err := ed.Wait(0, func(m editor.Message) bool { return strings.Contains(string(m.Raw), fmt.Sprintf("round %d\"", round)) }); err != nil {
				t.Fatal(err)
			}
			window := 60_000 // most kills hit what happens at once,
			if r.IntN(5) == 0 {
				window = 300_000 // some the commands
			}
			time.Sleep(time.Duration(r.IntN(window)) * time.Microsecond)
			ed.Kill()
		}
		session = s.SessionID
		if errs := m.Errors(); len(errs) > 0 {
			t.Fatalf("round %d: the server got a request that is not valid: %v", round, errs)
		}
		m.Close()
	}
	b, err := os.ReadFile(ledger)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range strings.Fields(string(b)) {
		if seen[line] {
			t.Errorf("%s was run twice", line)
		}
		seen[line] = true
	}
	if len(seen) < kills/50 {
		t.Errorf("only %d commands ran in %d rounds: the kills come too early", len(seen), kills)
	}
}
