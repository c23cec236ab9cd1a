//go:build unix

package demo

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience ends a broken run; nothing is measured by it.
const patience = 30 * time.Second

// await waits until the demo has shown something.
func (r *demoRun) await(text string) {
	r.t.Helper()
	for deadline := time.Now().Add(patience); !strings.Contains(r.out.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatalf("%q does not come:\n%s", text, r.out.String())
		}
	}
}

// TestInterrupt cancels turns by Ctrl-C, at a confirmation and at a question,
// and leaves by the next one. The daemon is gone afterwards.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	r := newRun(t, "--dir", "$HOME/work", fast, "--enable", "run_command", "look")
	if err := os.CopyFS(r.path("work"), subSample(t)); err != nil {
		t.Fatal(err)
	}
	input, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	interrupt := func() {
		if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
	}
	r.await("[q]uit turn")
	interrupt()
	r.await("! cancelled\n\n> ")
	if _, err := input.Write([]byte("more\n")); err != nil {
		t.Fatal(err)
	}
	r.await("1  The first one")
	interrupt()
	r.await("no answer\n  > \nCancelling")
	if left := daemons(t, r.home); len(left) != 1 {
		t.Errorf("daemons before the end: %v", left)
	}
	for deadline := time.Now().Add(patience); strings.Count(r.out.String(), "! cancelled") < 2 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	interrupt()
	// How it ended is in ProcessState.
	_ = r.cmd.Wait()
	if code := r.cmd.ProcessState.ExitCode(); code != exitLeft {
		t.Errorf("exit code %d:\n%s", code, r.out.String())
	}
	contains(t, r.out.String(), "Left.")
	if left := daemons(t, r.home); len(left) > 0 {
		t.Errorf("daemons left behind: %v", left)
	}
}

// TestTerminate leaves in the middle of a turn.
func TestTerminate(t *testing.T) {
	t.Parallel()
	r := newRun(t, fast)
	if _, err := r.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.await("[q]uit turn")
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// How it ended is in ProcessState.
	_ = r.cmd.Wait()
	contains(t, r.out.String(), "Left.", "Nothing was changed")
	if left := daemons(t, r.home); len(left) > 0 {
		t.Errorf("daemons left behind: %v", left)
	}
}

// daemons lists the children that were started for a run: its folder is in
// their command line.
func daemons(t *testing.T, home string) []string {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for l := range strings.Lines(string(out)) {
		if strings.Contains(l, binary+" --model") && strings.Contains(l, home) {
			found = append(found, l)
		}
	}
	return found
}
