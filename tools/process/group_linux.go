package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Alive reports whether a process of the group runs. Dead ones that nobody has
// waited for do not count.
func (g Group) Alive() bool {
	if syscall.Kill(-g.id, 0) != nil {
		return false
	}
	for _, p := range processes() {
		if p.group == g.id && p.state != 'Z' {
			return true
		}
	}
	return false
}

// ours reports whether the number of the group still means this command's
// group: numbers are given again. A process that was there before the command
// was left alone keeps the number taken.
func (g Group) ours() bool {
	if g.left.IsZero() {
		return true
	}
	left := uptimeAt(*g.left)
	for _, p := range processes() {
		if p.group == g.id && p.state != 'Z' && p.started <= left {
			return true
		}
	}
	return false
}

// process is what /proc says of one.
type process struct {
	pid     int
	state   byte
	group   int
	started time.Duration // since the system's start
}

// allPids lists the numbers of the system's processes.
func allPids() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var out []int
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// inProc names what /proc has of a process.
func inProc(pid int, what string) string { return "/proc/" + strconv.Itoa(pid) + "/" + what }

// processes lists the processes of the system.
func processes() []process {
	var out []process
	for _, pid := range allPids() {
		stat, err := os.ReadFile(inProc(pid, "stat"))
		if err != nil {
			continue
		}
		// The name in parentheses may hold anything.
		i := bytes.LastIndexByte(stat, ')')
		f := bytes.Fields(stat[i+1:])
		if len(f) < 20 {
			continue
		}
		p := process{pid: pid, state: f[0][0]}
		p.group, _ = strconv.Atoi(string(f[2]))
		ticks, _ := strconv.ParseInt(string(f[19]), 10, 64)
		p.started = time.Duration(ticks) * (time.Second / 100) // USER_HZ is 100 everywhere
		out = append(out, p)
	}
	return out
}

// uptimeAt gives the time since the system's start at t, a clock tick more.
func uptimeAt(t time.Time) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano()) - time.Since(t) + 10*time.Millisecond
}

// EndMarked ends all processes whose environment holds mark: those that have
// left the group of their command too. They are asked to end, and after grace
// they are not asked.
func EndMarked(mark string, grace time.Duration) {
	pids := Marked(mark)
	if len(pids) == 0 {
		return
	}
	if grace > 0 {
		signalAll(pids, syscall.SIGTERM)
		if WaitUntil(grace, func() bool { return len(Marked(mark)) == 0 }) {
			return
		}
	}
	// What is forked while it is looked for is found in the next round.
	WaitUntil(time.Second, func() bool {
		pids := Marked(mark)
		signalAll(pids, syscall.SIGKILL)
		return len(pids) == 0
	})
}

func signalAll(pids []int, s syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, s) // it may be gone
	}
}

// Marked finds the living processes whose environment holds mark.
func Marked(mark string) []int {
	var out []int
	for _, pid := range allPids() {
		if pid == os.Getpid() {
			continue
		}
		// The environment of a dead process is empty, that of another user's
		// cannot be read.
		env, err := os.ReadFile(inProc(pid, "environ"))
		if err == nil && (bytes.HasPrefix(env, []byte(mark)) || bytes.Contains(env, []byte("\x00"+mark))) {
			out = append(out, pid)
		}
	}
	return out
}

func signalName(s syscall.Signal) string {
	if n := unix.SignalName(s); n != "" {
		return n
	}
	return s.String()
}
