// Package wire is JSON-RPC 2.0 over two pipes, for whatever protocol is spoken:
// framing, ids, cancelling, batches, and writes in the order of what happened.
package wire

import (
	"context"
	"log/slog"
	"time"
)

// How long the end waits for what is still going on.
const (
	settleTime = 1200 * time.Millisecond
	flushTime  = 500 * time.Millisecond
)

// Run waits until the connection is to end: by a code from end, by the end of
// the input, by a client that takes no more output, or with ctx. Then it calls
// closing, waits for what goes on, in bounded time, and gives the exit code: 0
// unless end has another.
func (c *Conn) Run(ctx context.Context, end <-chan int, closing func()) int {
	code := 0
	select {
	case code = <-end:
	case <-c.rpc.DisconnectNotify():
		select {
		case code = <-end: // an exit right before the end of the input
		default:
		}
	case <-c.stream.out.dead:
		slog.Warn("the client takes no more output")
	case <-ctx.Done():
	}
	settled := make(chan struct{})
	go func() {
		closing()
		c.active.Wait()
		close(settled)
	}()
	wait(settled, settleTime)
	c.stream.out.close()
	wait(c.stream.out.done, flushTime)
	c.rpc.Close()
	return code
}

func wait(done <-chan struct{}, most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}
