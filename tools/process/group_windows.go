package process

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is the job object that holds the processes of a command.
type Group struct{ job windows.Handle }

// Launch starts a command in a job of its own, which ends with the daemon.
func Launch(cmd *exec.Cmd) (Group, error) {
	return launch(cmd, windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)
}

// LaunchKept starts a command that is not to end with the daemon.
func LaunchKept(cmd *exec.Cmd) (Group, error) { return launch(cmd, 0) }

func launch(cmd *exec.Cmd, limits uint32) (Group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return Group{}, fmt.Errorf("making a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = limits
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		windows.CloseHandle(job)
		return Group{}, fmt.Errorf("setting up a job object: %w", err)
	}
	cmd.SysProcAttr = newGroup
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return Group{}, err
	}
	if p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid)); err == nil {
		_ = windows.AssignProcessToJobObject(job, p) // else only the shell is ended
		windows.CloseHandle(p)
	}
	return Group{job}, nil
}

// jobAccounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of winnt.h.
type jobAccounting struct {
	TotalUserTime, TotalKernelTime            int64
	ThisPeriodTotalUserTime, ThisPeriodKernel int64
	TotalPageFaultCount, TotalProcesses       uint32
	ActiveProcesses, TotalTerminatedProcesses uint32
}

// Alive reports whether a process of the job runs.
func (g Group) Alive() bool {
	var info jobAccounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.ActiveProcesses > 0
}

// Remember notes that the first process is gone and others go on.
func (g Group) Remember() {}

// Forget lets go of the job, which ends what is in it.
func (g Group) Forget() { windows.CloseHandle(g.job) }

// Terminate ends all of the job; it cannot be asked to.
func (g Group) Terminate() { _ = windows.TerminateJobObject(g.job, 1) }

// Kill ends all of the job.
func (g Group) Kill() { g.Terminate() }

// EndMarked has nothing to do: no process leaves its job.
func EndMarked(string, time.Duration) {}

// ExitOf gives the exit code of a process.
func ExitOf(s *os.ProcessState) (code int, signal string) { return s.ExitCode(), "" }

// newGroup keeps Ctrl-C at the daemon's console away from commands.
var newGroup = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
