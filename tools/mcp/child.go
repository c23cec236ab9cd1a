package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentd-dev/agentd/tools/process"
)

const (
	// eofGrace is how long a server may take to end once its stdin is closed,
	// termGrace once it has been asked to.
	eofGrace  = 500 * time.Millisecond
	termGrace = 500 * time.Millisecond
	// exitGrace is how long the exit code of a server is awaited that has closed
	// its stdout.
	exitGrace = 300 * time.Millisecond
)

// child is the process of a server, in a group of its own.
type child struct {
	cmd    *exec.Cmd
	group  process.Group
	mark   string
	stdin  io.Closer
	stderr *tail
	exited chan struct{}
	once   sync.Once
}

// startChild starts a server's process; c is expanded.
func startChild(c *Config, dir string, environ []string) (*child, sdk.Transport, error) {
	cmd := exec.Command(c.Command, c.Args...)
	cmd.Dir = dir
	if c.Cwd != "" {
		cmd.Dir = c.Cwd
		if !filepath.IsAbs(c.Cwd) {
			cmd.Dir = filepath.Join(dir, c.Cwd)
		}
	}
	ch := &child{cmd: cmd, mark: process.NewMark(), stderr: &tail{}, exited: make(chan struct{})}
	cmd.Env = append(c.serverEnviron(environ), ch.mark)
	cmd.Stderr = ch.stderr
	// A grandchild that keeps its output open must not keep the end from being seen.
	cmd.WaitDelay = exitGrace
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	ch.stdin = in
	out, w := io.Pipe()
	cmd.Stdout = w
	if ch.group, err = process.Launch(cmd); err != nil {
		return nil, nil, notStarted(c, cmd.Dir, err)
	}
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		close(ch.exited)
		w.Close()
	}()
	return ch, &sdk.IOTransport{Reader: out, Writer: in}, nil
}

// notStarted says why a program could not be started.
func notStarted(c *Config, dir string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return &startError{fmt.Sprintf("the program %q is not in the PATH", c.Command)}
	default:
		return &startError{fmt.Sprintf("%q could not be started in %s: %v", c.Command, dir, err)}
	}
}

// end ends the process and all that it has started: closing its stdin is how it is
// asked to.
func (c *child) end() {
	if c == nil {
		return
	}
	c.once.Do(func() {
		c.stdin.Close()
		if !c.endsWithin(eofGrace) {
			c.group.Terminate()
			c.endsWithin(termGrace)
		}
		c.group.Kill()
		process.EndMarked(c.mark, 0)
		<-c.exited
		c.group.Forget()
	})
}

func (c *child) endsWithin(d time.Duration) bool {
	select {
	case <-c.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// fate says how a process that is gone, or going, has ended, with the end of what
// it said.
func (c *child) fate(ctx context.Context) string {
	if c == nil {
		return ""
	}
	text := ""
	select {
	case <-c.exited:
		if code, signal := process.ExitOf(c.cmd.ProcessState); signal != "" {
			text = "it was ended by " + signal
		} else {
			text = fmt.Sprintf("it exited with %d", code)
		}
	case <-time.After(exitGrace):
	case <-ctx.Done():
	}
	return text
}
