package scenarios

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

// TestForkUndo: a fork can undo the turns that it has, and no other.
func TestForkUndo(t *testing.T) {
	m, err := fakemodel.New(`call read_file {"path":"a.txt"}
---
call edit_file {"path":"a.txt","old_string":"one","new_string":"two"}
call write_file {"path":"b.txt","content":"b\n"}
---
text Done.
---
call write_file {"path":"c.txt","content":"c\n"}
---
text Done.
`)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ed, err := editor.Start(exec.Command(binary, "--base-url", m.URL, "--model", "fake", "--state-dir", t.TempDir()), false)
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Kill()
	id := 0
	call := func(method string, params map[string]any, result any) {
		t.Helper()
		id++
		if err := ed.Call(id, method, params, result); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	type object = map[string]any
	call("initialize", object{"protocolVersion": 1, "capabilities": object{}}, nil)
	var s, fork struct{ SessionID string }
	call("session/new", object{"cwd": dir, "mode": "accept-edits"}, &s)
	for range 2 {
		call("session/prompt", object{"sessionId": s.SessionID, "prompt": []any{object{"type": "text", "text": "go"}}}, nil)
	}
	call("session/fork", object{"sessionId": s.SessionID, "turnId": "t1"}, &fork)
	call("session/close", object{"sessionId": s.SessionID}, nil)
	call("session/delete", object{"sessionId": s.SessionID}, nil) // what the fork has is its own
	call("session/load", object{"sessionId": fork.SessionID, "mode": "accept-edits"}, nil)
	var undone struct {
		TurnID   string
		Restored []string
	}
	call("session/undo", object{"sessionId": fork.SessionID}, &undone)
	if undone.TurnID != "t1" || len(undone.Restored) != 2 {
		t.Errorf("%+v", undone)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || string(b) != "one\n" {
		t.Errorf("%q %v", b, err)
	}
	for name, there := range map[string]bool{"b.txt": false, "c.txt": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	if errs := m.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}
