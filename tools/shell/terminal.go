package shell

import (
	"context"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

// inTerminal reports whether a command runs in a terminal of the editor's, if
// that has any. A command that runs unasked because it only reads does not: it
// was judged for the environment that agentd gives it. What goes on in the
// background does not, since agentd has to end it.
func inTerminal(c *tools.Call, p *RunParams, v *verdict) bool {
	return c.Env.Terminal != nil && !p.Background && v.level != safe
}

// runInTerminal runs a command that was judged and allowed like any other in a
// terminal of the editor's, where the person sees it, and waits for it.
func runInTerminal(ctx context.Context, c *tools.Call, limit time.Duration) (*tools.Result, error) {
	program, args := shellLine(c.Plan.Command.Command)
	start := time.Now()
	e, err := c.Env.Terminal(ctx, tools.TerminalCommand{CallID: c.ID, Program: program, Args: args,
		Env: quiet[2:], Cwd: c.Plan.Command.Cwd, Limit: limit})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &tools.Error{Code: tools.CodeExecution, Message: "the command was not run to its end in the editor's terminal: " + err.Error(),
			Hint: "It is not known whether any of it was done.", Err: err}
	}
	out := newOutput(func(string) {}, c.Env.Spool)
	_, _ = out.Write([]byte(e.Output)) // it takes everything
	text := out.finish()
	if e.Truncated {
		text.text = "[the editor has kept only the end of the output]\n" + text.text
		text.truncated = true
	}
	return report(ending{code: e.ExitCode, signal: e.Signal, timedOut: e.TimedOut, cancelled: e.Cancelled}, text, limit, time.Since(start), c.Plan.Command.Cwd), nil
}
