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

// TestE37 makes two edits of one file in one message, without a question, in
// fifty sessions of one daemon at once: both are in the file every time.
func TestE37(t *testing.T) {
	const runs = 50
	var script strings.Builder
	for i := range runs {
		fmt.Fprintf(&script, `
== [run %d]
call read_file {"path":"n.txt"}
---
want last "lines 1-100 of 100"
call edit_file {"path":"n.txt","old_string":"\n50\n","new_string":"\nfifty\n"}
call edit_file {"path":"n.txt","old_string":"\n75\n","new_string":"\nseventy-five\n"}
---
want last "Edited"
text Done.
`, i)
	}
	m, err := fakemodel.New(script.String())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	cmd := exec.Command(binary, "--base-url", m.URL, "--model", "fake", "--state-dir", t.TempDir())
	ed, err := editor.Start(cmd, false)
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Kill()
	if err := ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{}}, nil); err != nil {
		t.Fatal(err)
	}
	var numbers strings.Builder
	for i := range 100 {
		fmt.Fprintln(&numbers, i+1)
	}
	want := strings.NewReplacer("\n50\n", "\nfifty\n", "\n75\n", "\nseventy-five\n").Replace(numbers.String())
	dirs := make([]string, runs)
	for i := range runs {
		dirs[i] = t.TempDir()
		if err := os.WriteFile(filepath.Join(dirs[i], "n.txt"), []byte(numbers.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		var s struct{ SessionID string }
		if err := ed.Call(fmt.Sprint("s", i), "session/new", map[string]any{"cwd": dirs[i], "mode": "accept-edits"}, &s); err != nil {
			t.Fatal(err)
		}
		if err := ed.Request(fmt.Sprint("p", i), "session/prompt", map[string]any{"sessionId": s.SessionID,
			"prompt": []any{map[string]any{"type": "text", "text": fmt.Sprintf("[run %d]", i)}}}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range runs {
		id := fmt.Sprintf("%q", fmt.Sprint("p", i))
		_, reply, err := ed.Wait(0, func(m editor.Message) bool { return string(m.ID) == id })
		if err != nil {
			t.Fatal(err)
		}
		if err := editor.Fits(reply.Result, []byte(`{"stopReason":"end_turn"}`)); err != nil {
			t.Errorf("run %d: %v: %s", i, err, reply.Raw)
		}
		have, err := os.ReadFile(filepath.Join(dirs[i], "n.txt"))
		if err != nil || string(have) != want {
			t.Errorf("run %d: the file is not as both edits make it: %v\n%s", i, err, have)
		}
	}
	if errs := m.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}
