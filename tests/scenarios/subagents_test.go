package scenarios

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

// TestSubagents lets fifty subagents of one message edit ten files side by side:
// each change is there, and each answer is with its call.
func TestSubagents(t *testing.T) {
	const agents, files = 50, 10
	dir := t.TempDir()
	var script strings.Builder
	texts := make([]string, files)
	for i := range agents {
		fmt.Fprintf(&script, "call subagent {\"task\":\"Line %d\",\"prompt\":\"[agent %d]\"}\n", i, i)
		texts[i%files] += fmt.Sprintf("line %d:\n", i)
	}
	script.WriteString("---\n")
	for i := range agents {
		fmt.Fprintf(&script, "want last \"answer %d.\"\n", i)
	}
	script.WriteString("text Done.\n")
	for i := range agents {
		read := fmt.Sprintf("call read_file {\"path\":\"%d.txt\"}\n---\n", i%files)
		edit := fmt.Sprintf("call edit_file {\"path\":\"%d.txt\",\"old_string\":\"line %d:\\n\",\"new_string\":\"line %d: x\\n\"}\n---\n", i%files, i, i)
		fmt.Fprintf(&script, "== [agent %d]\n%s%s", i, read, edit)
		// Another one may have written meanwhile: then the edit is refused, and
		// the file has to be read again.
		for range 20 {
			fmt.Fprintf(&script, "if last \"Read it again with read_file\"\n%sif last \"lines 1-5 of 5\"\n%s", read, edit)
		}
		fmt.Fprintf(&script, "want last \"Edited \"\ntext answer %d.\n", i)
	}
	m, err := fakemodel.New(script.String())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt")), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ed, err := editor.Start(exec.Command(binary, "--base-url", m.URL, "--model", "fake", "--state-dir", t.TempDir()), false)
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Kill()
	if err := ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{}}, nil); err != nil {
		t.Fatal(err)
	}
	var s struct{ SessionID string }
	if err := ed.Call(2, "session/new", map[string]any{"cwd": dir, "mode": "accept-edits"}, &s); err != nil {
		t.Fatal(err)
	}
	var end struct{ StopReason string }
	if err := ed.Call(3, "session/prompt", map[string]any{"sessionId": s.SessionID, "prompt": []any{map[string]any{"type": "text", "text": "go"}}}, &end); err != nil || end.StopReason != "end_turn" {
		t.Fatalf("%q %v: %v", end.StopReason, err, m.Errors())
	}
	for i, text := range texts {
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i, ".txt")))
		if want := strings.ReplaceAll(text, ":\n", ": x\n"); err != nil || string(b) != want {
			t.Errorf("a change is lost: %v\n%s", err, b)
		}
	}
	if errs := m.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}
