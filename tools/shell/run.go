// Package shell holds the tool that runs commands.
package shell

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed run.md
var runText string

// runCap bounds the result of a command in bytes.
const runCap = 10_000

// maxCommand bounds a command: the system takes 128 KiB as one argument.
const maxCommand = 100 << 10

// RunParams are the arguments of run_command.
type RunParams struct {
	Command     string `json:"command" jsonschema:"minLength=1,description=Command line for the shell."`
	Cwd         string `json:"cwd,omitempty" jsonschema:"description=Folder to run in; the workspace if left out."`
	TimeoutMs   int    `json:"timeout_ms,omitempty" jsonschema:"minimum=100,maximum=600000,default=60000,description=Time after which the command is ended."`
	Background  bool   `json:"background,omitempty" jsonschema:"default=false,description=Start it and do not wait\\, e.g. for a server; timeout_ms does not hold."`
	Keep        bool   `json:"keep,omitempty" jsonschema:"default=false,description=With background: it goes on after the session."`
	Description string `json:"description,omitempty" jsonschema:"description=What the command does\\, in a few words for the user."`
}

// RunData is the result of run_command for programs.
type RunData struct {
	// ExitCode is -1 if the command did not exit by itself.
	ExitCode int    `json:"exitCode"`
	Signal   string `json:"signal,omitempty"`
	TimedOut bool   `json:"timedOut,omitempty"`
	// Background is set when processes of the command go on.
	Background bool `json:"background,omitempty"`
	// Truncated is set when Text shows only the ends of the output.
	Truncated bool `json:"truncated,omitempty"`
	// Spool is the file that holds the whole output of a truncated result.
	Spool string `json:"spool,omitempty"`
	// Bytes counts the output as it was written.
	Bytes int64 `json:"bytes"`
}

// NewRun makes run_command.
func NewRun() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "run_command", Title: "Run command", Description: runText,
		Kind: tools.KindExecute, Level: tools.Dangerous, Cap: runCap,
	}, tools.Handler[RunParams]{
		Traits: func(p *RunParams) tools.Traits {
			return judge(nil, nil, p).traits()
		},
		Plan: plan,
		Run:  run,
	})
}

// plan judges the command and says what it is.
func plan(_ context.Context, c *tools.Call, p *RunParams) (*tools.Plan, error) {
	switch {
	case strings.TrimSpace(p.Command) == "":
		return nil, invalid("the command is empty", "Give a command line.")
	case p.Keep && !p.Background:
		return nil, invalid("keep is for commands in the background", "Set background, too, or leave keep out.")
	case strings.ContainsRune(p.Command, 0):
		return nil, invalid("the command holds a NUL character", "Give it without.")
	case len(p.Command) > maxCommand:
		return nil, invalid(fmt.Sprintf("the command has %d bytes; at most %d are possible", len(p.Command), maxCommand), "Write a script with write_file and run that.")
	}
	dir, err := folder(c.Env.Files, p.Cwd)
	if err != nil {
		return nil, err
	}
	v := judge(c.Env, &dir, p)
	traits := v.traits()
	title := p.Description
	if title == "" {
		title = firstLine(p.Command)
	}
	made := &tools.Plan{
		Title: title, Reason: v.reason, Level: v.level, Traits: &traits,
		Command: &tools.Command{Command: p.Command, Cwd: dir.Path()},
		Grants:  v.grants(p.Command, dir.Path()),
		Parts:   v.runs, Loose: v.loose,
		Data: v,
	}
	if p.Keep { // each time by itself: nobody ends it
		made.Grants, made.Loose = nil, true
	}
	return made, nil
}

// judge judges a command as it would run in dir.
func judge(env *tools.Env, dir *editstate.Loc, p *RunParams) *verdict {
	c := newClassifier(env, dir)
	if p.Background {
		c.worst(sensitive, "it goes on in the background") // a grant and a rule for the command cover it
	}
	if p.Keep {
		c.worst(dangerous, "it goes on after the session has ended, until somebody ends it")
	}
	return c.judge(p.Command)
}

func invalid(message, hint string) *tools.Error {
	return &tools.Error{Code: tools.CodeInvalidArguments, Message: message, Hint: hint}
}

// folder finds the folder to run in.
func folder(w *editstate.Workspace, cwd string) (editstate.Loc, error) {
	if cwd == "" {
		cwd = "."
	}
	loc, err := w.Resolve(cwd)
	if err != nil {
		return loc, err
	}
	fi, err := os.Stat(loc.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return loc, &tools.Error{Code: tools.CodeNotFound, Message: fmt.Sprintf("the folder %s (cwd) does not exist; the command was not run", cwd),
			Hint: "Use list_directory to find the right folder."}
	case err != nil:
		return loc, &tools.Error{Code: tools.CodeNotFound, Message: fmt.Sprintf("the folder %s (cwd) cannot be used; the command was not run", cwd), Err: err}
	case !fi.IsDir():
		return loc, &tools.Error{Code: tools.CodeInvalidArguments, Message: fmt.Sprintf("cwd %s is a file, not a folder; the command was not run", cwd)}
	}
	return loc, nil
}

func firstLine(s string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}

// run runs the command and waits for it.
func run(ctx context.Context, c *tools.Call, p *RunParams) (*tools.Result, error) {
	m, err := managerOf(c.Env)
	if err != nil {
		return nil, err
	}
	l := m.logins.get(ctx, environ(c.Env.Environ, sensitive), c.Plan.Command.Cwd)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := stillTrue(c, p)
	if err != nil {
		return nil, err
	}
	limit := time.Duration(p.TimeoutMs) * time.Millisecond
	if inTerminal(c, p, v) {
		return runInTerminal(ctx, c, limit)
	}
	base := c.Env.Environ
	if l != nil {
		base = l.env
	}
	if p.Background {
		if p.Keep {
			return runKept(ctx, c, l, environ(base, v.level))
		}
		return runBehind(ctx, c, m, l, environ(base, v.level))
	}
	out := newOutput(c.Output, c.Env.Spool)
	start := time.Now()
	j, err := m.start(c.Plan.Command, l, environ(base, v.level), out)
	if err != nil {
		return nil, notStarted(err)
	}
	end := j.wait(ctx, limit)
	text := out.finish()
	return report(end, text, limit, time.Since(start), c.Plan.Command.Cwd), nil
}

// stillTrue looks again at what was judged or shown before the command runs. Its
// folder must be the place that it was. A command that runs because it only
// reads is judged again: since then links, repositories and the PATH of the
// start-up files may have changed.
func stillTrue(c *tools.Call, p *RunParams) (*verdict, error) {
	v := c.Plan.Data.(*verdict)
	cwd := c.Plan.Command.Cwd
	if loc, err := folder(c.Env.Files, cwd); err != nil || loc.Path() != cwd {
		return nil, &tools.Error{Code: tools.CodeConflict, Message: fmt.Sprintf("the folder %s (cwd) is not the place any more that it was when the command was planned; it was not run", c.Env.Files.DisplayPath(cwd)),
			Hint: "Look at the folder with list_directory and call it again.", Err: err}
	}
	if v.level != safe || !c.Answer.ByPolicy {
		return v, nil
	}
	dir, err := folder(c.Env.Files, p.Cwd)
	if err != nil {
		return nil, err
	}
	if now := judge(c.Env, &dir, p); now.level != safe {
		return nil, &tools.Error{Code: tools.CodeConflict, Message: "the command was to run unasked since it only reads, but now " + now.reason + "; it was not run",
			Hint: "Call it again: the user is then asked."}
	}
	return v, nil
}
