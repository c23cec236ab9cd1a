package bench

import (
	"os/exec"
	"syscall"
)

// maxRSS is the peak memory of a process that has ended, in megabytes.
func maxRSS(cmd *exec.Cmd) float64 {
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		return float64(u.Maxrss) / 1024
	}
	return 0
}
