package process

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestOrphans: what the command of a dead daemon has left is ended; what belongs
// to a living one, or to none, is not.
func TestOrphans(t *testing.T) {
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	start := func(env string) (*exec.Cmd, chan struct{}) {
		c := exec.Command("sleep", "60")
		c.Env = []string{"A=b", env, "C=d"}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		t.Cleanup(func() { _ = c.Process.Kill(); <-ended })
		return c, ended
	}
	_, orphan := start(fmt.Sprintf("%s=%d-XYZ.1.", MarkName, dead.Process.Pid))
	_, ours := start(fmt.Sprintf("%s=%d-XYZ.1.", MarkName, os.Getpid()))
	_, other := start("X" + fmt.Sprintf("%s=%d-XYZ.1.", MarkName, dead.Process.Pid))
	_, odd := start(MarkName + "=abc")
	WaitUntil(5*time.Second, func() bool { // until exec has put the environment in place
		EndOrphans()
		select {
		case <-orphan:
			return true
		default:
			return false
		}
	})
	select {
	case <-orphan:
	default:
		t.Error("the orphan lives")
	}
	for name, ended := range map[string]chan struct{}{"ours": ours, "other": other, "odd": odd} {
		select {
		case <-ended:
			t.Errorf("%s was ended", name)
		default:
		}
	}
}
