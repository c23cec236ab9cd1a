package scenarios

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tests/editor"
)

// TestR05 kills the process that initialize named, while stdin stays open: the
// daemon ends.
func TestR05(t *testing.T) {
	client := exec.Command("sleep", "300")
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	ed, err := editor.Start(exec.Command(binary, "--state-dir", t.TempDir()), false)
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Kill()
	if err := ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "processId": client.Process.Pid, "capabilities": map[string]any{}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait()
	if code, err := ed.Exit(); err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
}

// TestR05Servers kills the same process while an MCP server runs that does not end by
// itself: nothing of it is left.
func TestR05Servers(t *testing.T) {
	client := exec.Command("sleep", "300")
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	ed, err := editor.Start(exec.Command(binary, "--model", "replay:demo", "--state-dir", t.TempDir()), false)
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Kill()
	type object = map[string]any
	if err := ed.Call(1, "initialize", object{"protocolVersion": 1, "processId": client.Process.Pid, "capabilities": object{}}, nil); err != nil {
		t.Fatal(err)
	}
	count := filepath.Join(t.TempDir(), "count")
	servers := []object{{"name": "stays", "command": mcpServer, "args": []string{"-stay", "-count", count}}}
	if err := ed.Call(2, "session/new", object{"cwd": t.TempDir(), "mcpServers": servers}, nil); err != nil {
		t.Fatal(err)
	}
	running := func() bool { return exec.Command("pgrep", "-f", count).Run() == nil }
	for deadline := time.Now().Add(time.Minute); !running(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server does not start")
		}
	}
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait()
	if code, err := ed.Exit(); err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
	if running() {
		t.Error("the server is left")
	}
}

// TestBrokenStdout closes the reading end of stdout: the daemon ends.
func TestBrokenStdout(t *testing.T) {
	cmd := exec.Command(binary, "--state-dir", t.TempDir(), "--framing=lines")
	in, err := cmd.StdinPipe() // stays open, and nothing is written
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	_ = cmd.Wait()
	in.Close()
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
