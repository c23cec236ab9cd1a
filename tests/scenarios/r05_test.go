package scenarios

import (
	"os/exec"
	"testing"

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
