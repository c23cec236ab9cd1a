package shell

import (
	"fmt"
	"os"
	"os/exec"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object that holds the processes of a command.
type group struct{ job windows.Handle }

// launch starts a command in a job of its own, which ends with the daemon.
func launch(cmd *exec.Cmd) (group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{}, fmt.Errorf("making a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		windows.CloseHandle(job)
		return group{}, fmt.Errorf("setting up a job object: %w", err)
	}
	cmd.SysProcAttr = newGroup
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return group{}, err
	}
	if p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid)); err == nil {
		_ = windows.AssignProcessToJobObject(job, p) // else only the shell is ended
		windows.CloseHandle(p)
	}
	return group{job}, nil
}

// jobAccounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of winnt.h.
type jobAccounting struct {
	TotalUserTime, TotalKernelTime            int64
	ThisPeriodTotalUserTime, ThisPeriodKernel int64
	TotalPageFaultCount, TotalProcesses       uint32
	ActiveProcesses, TotalTerminatedProcesses uint32
}

// alive reports whether a process of the job runs.
func (g group) alive() bool {
	var info jobAccounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.ActiveProcesses > 0
}

func (g group) remember() {}

func (g group) forget() { windows.CloseHandle(g.job) }

func (g group) terminate() { _ = windows.TerminateJobObject(g.job, 1) }

func (g group) kill() { g.terminate() }

// endMarked has nothing to do: no process leaves its job.
func endMarked(string, time.Duration) {}

func widen(*os.File) {}

// exitOf gives the exit code of a process.
func exitOf(s *os.ProcessState) (code int, signal string) { return s.ExitCode(), "" }
