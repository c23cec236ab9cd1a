package demo

import (
	"context"
	"errors"
	"os"
	"os/signal"

	"github.com/agentd-dev/agentd/rpc"
)

// errLeft says that the person left.
var errLeft = errors.New("left")

// turnState is what Ctrl-C meets.
type turnState int

const (
	noTurn turnState = iota
	turnRuns
	turnCancelled // and not over yet
)

func (c *session) setState(s turnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = s
}

// watchSignals turns Ctrl-C into a cancel of the turn, and leaves on the
// second one, or if there is no turn.
func (c *session) watchSignals(ctx context.Context, leave context.CancelCauseFunc) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, append([]os.Signal{os.Interrupt}, leaveSignals...)...)
	defer signal.Stop(signals)
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-signals:
			if s != os.Interrupt || !c.cancelTurn(ctx) {
				leave(errLeft)
				return
			}
		}
	}
}

// cancelTurn cancels the running turn; it reports whether there was one that
// had not been cancelled.
func (c *session) cancelTurn(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != turnRuns {
		return false
	}
	c.state = turnCancelled
	c.screen.line(c.screen.paint(yellow, "Cancelling the turn. Ctrl-C again leaves."))
	go func() {
		var done rpc.SessionCancelResult
		// If it fails the daemon is gone, which the turn's own call tells.
		_ = c.client.call(ctx, "session/cancel", rpc.SessionCancelParams{SessionID: c.id}, &done)
	}()
	return true
}
