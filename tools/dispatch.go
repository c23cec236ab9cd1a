package tools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/agentd-dev/agentd/editstate"
)

// Dispatcher takes a session's calls through the same steps, whoever made the
// tool: look up, check the arguments, enabled?, circuit breaker, plan, policy,
// confirm, run, redact, cap, audit, breaker's count. Whatever happens, the
// answer is a Result. It is safe for concurrent use.
type Dispatcher struct {
	Session string
	// CallPrefix makes the ids of a subagent's calls those of the session, for
	// the audit.
	CallPrefix string
	Registry   *Registry
	// More gives further tools, which may come and go: those of MCP servers. The
	// registry that it gives is frozen. Optional.
	More func() *Registry
	// Absent says why a tool that there is not is not there; "" if that is not
	// known. Optional.
	Absent   func(name string) string
	Gate     Gate
	Env      *Env
	Redactor *Redactor
	Audit    *Audit
	Breaker  *Breaker

	mu      sync.Mutex
	enabled map[string]bool // set by hand; else by level
	loaded  []string        // deferred tools that tool_search has found, in this order
}

// Hooks let the agent follow a call. All are optional.
type Hooks struct {
	// Planned is told what the call is about to do.
	Planned func(p *Plan, level Level)
	// Running is told that it has been allowed and starts.
	Running func()
	// Output is told the live output, piece by piece.
	Output func(text string)
}

// Invocation is one call as the model made it.
type Invocation struct {
	Turn string
	ID   string
	Name string
	Args string // as the model sent them
	// Message numbers the model's message; the breaker counts the failures
	// of one message once.
	Message int
	Hooks   Hooks
}

// Concurrent reports whether a call may run beside its neighbours. A call that
// does not even decode may: it will not run.
func (d *Dispatcher) Concurrent(name, args string) bool {
	t := d.Get(name)
	if t == nil {
		return true
	}
	if t.run.traits == nil {
		return t.Traits.Concurrent
	}
	clean, _, err := t.schema.Arguments(args)
	if err != nil {
		return true
	}
	p, err := t.run.decode(clean)
	return err != nil || t.run.traits(p).Concurrent
}

// step carries one call through the pipeline.
type step struct {
	d       *Dispatcher
	inv     *Invocation
	call    *Call
	notes   []string
	params  any
	request *Request
	rec     Record
	ran     bool

	telling sync.Mutex
	live    *RedactStream // nil if nobody listens
}

// Run takes one call through all steps.
func (d *Dispatcher) Run(ctx context.Context, inv *Invocation) *Result {
	start := time.Now()
	s := &step{d: d, inv: inv, rec: Record{Time: start, Session: d.Session, Turn: inv.Turn, Call: d.CallPrefix + inv.ID, Tool: inv.Name, Decision: "none"}}
	r := s.safely(ctx)
	if ctx.Err() != nil && r.Status == Failed && r.Error.Code != CodeCancelled && !r.Abort {
		r = ErrorResult(&Error{Code: CodeCancelled, Message: "cancelled by the user", Hint: r.Text})
	}
	s.finish(r)
	return r
}

// safely turns a panic of a tool into a result.
func (s *step) safely(ctx context.Context) (r *Result) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("tool panicked", "tool", s.inv.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			r = ErrorResult(&Error{Code: CodeExecution, Message: fmt.Sprintf("%s failed by a fault of its own", s.inv.Name),
				Hint: "Try another way, and tell the user: the log has the details."})
			r.Fault = true
		}
	}()
	for _, f := range []func(context.Context) *Result{s.lookUp, s.admit, s.plan, s.judge} {
		if r := f(ctx); r != nil {
			return r
		}
	}
	return s.run(ctx)
}

// lookUp finds the tool and makes its arguments fit.
func (s *step) lookUp(context.Context) *Result {
	t := s.d.Get(s.inv.Name)
	if t == nil {
		message := fmt.Sprintf("there is no tool %q", s.inv.Name)
		if s.d.Absent != nil {
			if why := s.d.Absent(s.inv.Name); why != "" {
				message += ": " + why
			}
		}
		return ErrorResult(&Error{Code: CodeNotFound, Message: message,
			Hint: "The tools are " + names(s.d.Offered()) + "."})
	}
	args, notes, err := t.schema.Arguments(s.inv.Args)
	if err != nil {
		return ErrorResult(err)
	}
	s.notes = notes
	s.call = &Call{ID: s.inv.ID, Tool: t, Args: args, Env: s.d.Env, output: s.output()}
	s.rec.Args, s.rec.Level = args, t.Level
	if s.params, err = t.run.decode(args); err != nil {
		slog.Error("validated arguments do not decode", "tool", t.Name, "err", err)
		return ErrorResult(&Error{Code: CodeInvalidArguments, Message: "the arguments cannot be read", Hint: "Send plain values as the schema describes them."})
	}
	return nil
}

// output gives live output to the client, with secrets masked, as long as the call
// runs: what tells of progress may be late.
func (s *step) output() func(string) {
	tell := s.inv.Hooks.Output
	if tell == nil {
		return nil
	}
	s.live = s.d.Redactor.Stream()
	return func(text string) {
		s.telling.Lock()
		defer s.telling.Unlock()
		if s.live == nil {
			return // the call is over
		}
		if text = s.live.Next(text); text != "" {
			tell(text)
		}
	}
}

// endOutput gives what the masking of live output has held back.
func (s *step) endOutput() {
	if s.live == nil {
		return
	}
	s.telling.Lock()
	defer s.telling.Unlock()
	if text := s.live.End(); text != "" {
		s.inv.Hooks.Output(text)
	}
	s.live = nil
}

// admit asks whether the tool is on and its circuit closed.
func (s *step) admit(context.Context) *Result {
	t := s.call.Tool
	if !s.d.Enabled(t) {
		return ErrorResult(&Error{Code: CodeDisabled, Message: fmt.Sprintf("the tool %s is switched off (level %s)", t.Name, t.Level),
			Hint: fmt.Sprintf("Only the user can switch it on, with \"/tool enable %s\". Go on without it, or ask for it.", t.Name)})
	}
	if !s.d.usable(t) {
		return ErrorResult(s.d.missing(t))
	}
	if s.d.Breaker != nil {
		if err := s.d.Breaker.Admit(t.Name); err != nil {
			return ErrorResult(err)
		}
		s.ran = true
	}
	return nil
}

// plan learns what the call is about to do.
func (s *step) plan(ctx context.Context) *Result {
	t := s.call.Tool
	r := &Request{Call: s.call, Level: t.Level, Traits: t.Traits, Plan: &Plan{Title: t.Title}}
	if t.run.traits != nil {
		r.Traits = t.run.traits(s.params)
	}
	if t.run.plan != nil {
		p, err := t.run.plan(ctx, s.call, s.params)
		if err != nil {
			return failed(err)
		}
		p.numberHunks()
		r.Plan, s.call.Plan = p, p
		if p.Level != "" {
			r.Level = p.Level
		}
		if p.Traits != nil {
			r.Traits = *p.Traits
		}
	}
	r.Plan.Title, r.Plan.Reason = OneLine(r.Plan.Title), OneLine(r.Plan.Reason)
	s.request, s.rec.Level = r, r.Level
	if f := s.inv.Hooks.Planned; f != nil {
		f(r.Plan, r.Level)
	}
	return nil
}

// OneLine keeps a text for the person from drawing lines of its own: names of
// files may hold anything.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return '\uFFFD'
		}
		return r
	}, s)
}

// judge asks the policy and, if it says so, the person.
func (s *step) judge(ctx context.Context) *Result {
	v := s.d.Gate.Judge(s.request)
	s.rec.By = v.By
	switch v.Ruling {
	case Run:
		s.rec.Decision = "allow"
		s.call.Answer = Answer{Decision: Allow, ByPolicy: true}
		return nil
	case Ask:
		return s.confirm(ctx)
	}
	s.rec.Decision = "deny"
	return ErrorResult(&Error{Code: CodeDenied, Message: "not allowed: " + v.Reason, Hint: "Nothing was done."})
}

// run does it, within the tool's time.
func (s *step) run(ctx context.Context) *Result {
	t := s.call.Tool
	if f := s.inv.Hooks.Running; f != nil {
		f()
	}
	runCtx := ctx
	if t.Timeout > 0 {
		var cancel context.CancelFunc
		runCtx, cancel = context.WithTimeout(ctx, t.Timeout)
		defer cancel()
	}
	start := time.Now()
	r, err := t.run.run(runCtx, s.call, s.params)
	if err != nil {
		r = failed(err)
		if ctx.Err() == nil && runCtx.Err() != nil {
			r = ErrorResult(&Error{Code: CodeTimeout, Message: fmt.Sprintf("%s took longer than %s", t.Name, t.Timeout), Hint: "Ask for less at once."})
			r.Fault = true
		}
	}
	s.endOutput()
	r.Stats.Elapsed = elapsed(time.Since(start))
	return r
}

// failed makes a result of a handler's error; errors of the file world get
// their codes here, for all tools alike.
func failed(err error) *Result {
	var fe *editstate.Error
	var te *Error
	switch {
	case errors.As(err, &te):
	case errors.As(err, &fe):
		te = &Error{Code: fileCodes[fe.Code], Message: fe.Message, Hint: fe.Hint, Err: err}
		if te.Code == "" {
			te.Code = CodeExecution
		}
		err = te
	case errors.Is(err, context.Canceled):
		err = &Error{Code: CodeCancelled, Message: "cancelled by the user", Err: err}
	}
	return ErrorResult(err)
}

// IsNotFound reports whether an error of the file world says that there is no
// such file.
func IsNotFound(err error) bool {
	var fe *editstate.Error
	return errors.As(err, &fe) && fe.Code == editstate.NotFound
}

var fileCodes = map[editstate.Code]Code{
	editstate.NotFound:     CodeNotFound,
	editstate.OutsideRoots: CodeOutside,
	editstate.InvalidPath:  CodeInvalidArguments,
	editstate.NotRegular:   CodeInvalidArguments,
	editstate.NotRead:      CodeNotRead,
	editstate.Stale:        CodeConflict,
	editstate.NoMatch:      CodeNoMatch,
	editstate.NoChange:     CodeNoMatch,
	editstate.Refused:      CodeDenied,
}
