package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/agentd-dev/agentd/rpc"
)

// How long the daemon may take to end: by itself when asked, and after its
// input has ended.
const (
	shutdownGrace = 3 * time.Second
	exitGrace     = 3 * time.Second
)

// daemon is the child process. As an io.ReadWriteCloser it is its own pipes.
type daemon struct {
	io.Reader
	io.WriteCloser
	cmd    *exec.Cmd
	stderr *tail
	exited chan struct{}
}

// startDaemon starts this program again, as the daemon. It gets a process
// group of its own: Ctrl-C is for the client, which turns it into a cancel.
func startDaemon(flags []string) (*daemon, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &daemon{cmd: exec.Command(exe, flags...), stderr: &tail{}, exited: make(chan struct{})}
	if d.WriteCloser, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// Not StdoutPipe: Wait would close it under the reader.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	d.Reader, d.cmd.Stdout, d.cmd.Stderr = r, w, d.stderr
	ownGroup(d.cmd)
	if err := d.cmd.Start(); err != nil {
		r.Close()
		return nil, err
	}
	go func() {
		// How it ended is in ProcessState.
		_ = d.cmd.Wait()
		close(d.exited)
	}()
	return d, nil
}

// stop ends the daemon: politely, or at once if the person is leaving. It does
// not return while the daemon runs.
func (d *daemon) stop(c *client, atOnce bool) {
	if !atOnce {
		ctx, done := context.WithTimeout(context.Background(), shutdownGrace)
		if err := c.call(ctx, "shutdown", rpc.Empty{}, nil); err == nil {
			_ = c.notify(ctx, "exit", rpc.Empty{}) // the end of its input says the same
		}
		done()
	}
	_ = d.Close()
	select {
	case <-d.exited:
	case <-time.After(exitGrace):
		_ = d.cmd.Process.Kill()
		<-d.exited
	}
	_ = c.conn.Close()
}

// explain gives the text for an error of a call: what the daemon answered, or
// what it last logged if it is gone.
func (d *daemon) explain(err error) string {
	var answer *jsonrpc2.Error
	switch {
	case errors.As(err, &answer):
		return answer.Message
	case errors.Is(err, jsonrpc2.ErrClosed):
		return strings.TrimSpace(fmt.Sprintf("agentd has ended (%s).\n%s", d.cmd.ProcessState, d.stderr.text()))
	}
	return err.Error()
}

// tail keeps the end of what was written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if len(t.buf) > maxTail {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-maxTail:]...)
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
