package process

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// EndOrphans ends what the commands of daemons have left that were killed and
// could not do it themselves. The mark of a process names its daemon.
func EndOrphans() {
	for range 3 { // what is forked meanwhile is found in the next round
		found := orphans()
		if len(found) == 0 {
			return
		}
		signalAll(found, syscall.SIGKILL)
	}
}

func orphans() []int {
	here, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return nil
	}
	var out []int
	for _, pid := range allPids() {
		env, err := os.ReadFile(inProc(pid, "environ"))
		if err != nil {
			continue
		}
		// In a container the numbers of processes are others.
		if space, err := os.Readlink(inProc(pid, "ns/pid")); err != nil || space != here {
			continue
		}
		if daemon := daemonOf(env); daemon > 0 && errors.Is(syscall.Kill(daemon, 0), syscall.ESRCH) {
			out = append(out, pid)
		}
	}
	return out
}

// daemonOf reads from an environment which daemon has started the process; 0 if
// none did.
func daemonOf(env []byte) int {
	key := []byte("\x00" + MarkName + "=")
	i := bytes.Index(append([]byte{0}, env...), key)
	if i < 0 {
		return 0
	}
	value := env[i+len(key)-1:]
	digits, _, ok := bytes.Cut(value[:min(len(value), 24)], []byte("-"))
	pid, err := strconv.Atoi(string(digits))
	if !ok || err != nil {
		return 0
	}
	return pid
}
