package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

// report writes the result of a command.
func report(e ending, o shown, limit, took time.Duration, cwd string) *tools.Result {
	data := &RunData{ExitCode: e.code, Signal: e.signal, TimedOut: e.timedOut, Background: e.background,
		Truncated: o.truncated, Spool: o.spool, Bytes: o.bytes}
	r := tools.Text(o.text)
	r.Data = data
	r.Context = map[string]string{"cwd": cwd}
	if r.Text == "" {
		r.Text = "(no output)\n"
	} else if !strings.HasSuffix(r.Text, "\n") {
		r.Text += "\n"
	}
	var note string
	switch {
	case e.cancelled:
		r.Status = tools.Failed
		r.Error = &tools.Error{Code: tools.CodeCancelled, Message: "cancelled by the user", Hint: "The command was ended; what it had done by then stays done."}
		note = fmt.Sprintf("cancelled by the user after %s; the command was ended", seconds(took))
	case e.timedOut:
		r.Status = tools.Partial
		r.Error = &tools.Error{Code: tools.CodeTimeout, Message: fmt.Sprintf("the command took longer than %s and was ended", seconds(limit)),
			Hint: "Raise timeout_ms (at most 600000) or do less at once. Start a server with background."}
		note = r.Error.Message + ". " + r.Error.Hint
	case e.signal != "":
		note = fmt.Sprintf("ended by %s, %s", e.signal, seconds(took))
	default:
		note = fmt.Sprintf("exit code %d%s, %s", e.code, bySignal(e.code), seconds(took))
	}
	r.Text += "[" + note + "]"
	if e.background {
		r.Text += "\n[a process of this command goes on in the background until the session ends; its further output is not shown]"
	}
	return r
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// bySignal explains the exit codes by which a shell says that a signal ended
// its last command.
func bySignal(code int) string {
	names := map[int]string{129: "SIGHUP", 130: "SIGINT", 131: "SIGQUIT", 132: "SIGILL", 134: "SIGABRT", 136: "SIGFPE",
		137: "SIGKILL", 139: "SIGSEGV", 141: "SIGPIPE", 143: "SIGTERM", 126: "not executable", 127: "command not found"}
	if n := names[code]; n != "" {
		return " (" + n + ")"
	}
	return ""
}
