package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/background"
	"github.com/agentd-dev/agentd/tools/process"
)

const (
	// lookEvery is how often the output of a kept command is looked for, followPiece
	// how much of it is read before one looks whether it is still wanted.
	lookEvery   = 100 * time.Millisecond
	followPiece = 1 << 20
)

// keptFolder is where kept commands write, beside the results of the session. It
// is theirs and not masked: the model sees it through background_output only.
const keptFolder = "kept"

// runKept starts a command that outlives its session and the daemon. It writes to
// a file, since a pipe would end with its reader, and it does not have the mark by
// which the others are found and ended.
func runKept(ctx context.Context, c *tools.Call, l *login, env []string) (*tools.Result, error) {
	b, err := background.Of(c.Env)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(filepath.Dir(c.Env.Spool.Dir()), keptFolder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, notStarted(err)
	}
	out, err := os.CreateTemp(dir, "*.log")
	if err != nil {
		return nil, notStarted(err)
	}
	defer out.Close() // the command has its own
	cmd, after, err := shellCommand(c.Plan.Command.Command, l, out)
	if err != nil {
		return nil, notStarted(err)
	}
	cmd.Dir, cmd.Env = c.Plan.Command.Cwd, env
	g, err := process.LaunchKept(cmd)
	after()
	if err != nil {
		return nil, notStarted(err)
	}
	began := time.Now()
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		close(exited)
	}()
	file, pid := out.Name(), cmd.Process.Pid
	t, err := b.Start("command", firstLine(c.Plan.Command.Command), func(ctx context.Context, out io.Writer) string {
		w := &cleaner{}
		w.to(out)
		followFile(ctx, file, w, exited)
		w.end()
		if errors.Is(context.Cause(ctx), background.ErrSessionEnds) {
			return "it goes on"
		}
		e := ending{cancelled: ctx.Err() != nil}
		if e.cancelled {
			g.Terminate()
			select {
			case <-exited:
			case <-time.After(termGrace):
			}
			g.Kill()
		}
		<-exited
		g.Forget()
		e.code, e.signal = process.ExitOf(cmd.ProcessState)
		return endingText(e, time.Since(began))
	})
	if err != nil {
		g.Kill()
		return nil, err
	}
	r := t.FirstLook(ctx, firstLook)
	if t.Ended() == "" {
		r.Text += fmt.Sprintf("\n[It goes on until somebody ends it, also after the session: process %d, output in %s. Until then background_output with id %s shows its output, background_kill ends it.]", pid, file, t.ID)
	}
	r.Context = map[string]string{"cwd": c.Plan.Command.Cwd}
	return r, nil
}

// followFile copies what is added to a file, until the one who writes has ended or
// ctx is done.
func followFile(ctx context.Context, name string, w io.Writer, ended <-chan struct{}) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		switch _, err := io.CopyN(w, f, followPiece); err {
		case nil: // there may be no end: it may write faster than this reads
			continue
		case io.EOF:
		default:
			return
		}
		select {
		case <-tick.C:
		case <-ended:
			_, _ = io.Copy(w, f)
			return
		case <-ctx.Done():
		}
	}
}
