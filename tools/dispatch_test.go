package tools

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

type noParams struct{}

// testGate says what it is told to say, and remembers.
type testGate struct {
	verdict Verdict
	answer  Answer
	err     error
	log     *[]string
}

func (g *testGate) Judge(*Request) Verdict {
	*g.log = append(*g.log, "judge")
	return g.verdict
}

func (g *testGate) Confirm(context.Context, *Request) (Answer, error) {
	*g.log = append(*g.log, "confirm")
	return g.answer, g.err
}

type testRig struct {
	*Dispatcher
	gate *testGate
	log  []string
	dir  string
}

// newRig makes a dispatcher with the tools "work", "danger", "crash", "slow"
// and "wide".
func newRig(t *testing.T) *testRig {
	t.Helper()
	r := &testRig{dir: t.TempDir()}
	step := func(name string) { r.log = append(r.log, name) }
	work := Handler[params]{
		Plan: func(context.Context, *Call, *params) (*Plan, error) {
			step("plan")
			return &Plan{Title: "Work", Grants: []Grant{{ID: "g", Label: "all work"}}}, nil
		},
		Run: func(_ context.Context, c *Call, p *params) (*Result, error) {
			step("run")
			c.Output("live")
			return Text("worked on " + p.Path + " with sk-abcdefghijklmnopqrstuvwxyz"), nil
		},
	}
	simple := func(run func(context.Context) (*Result, error)) Handler[noParams] {
		return Handler[noParams]{Run: func(ctx context.Context, _ *Call, _ *noParams) (*Result, error) { return run(ctx) }}
	}
	reg, err := NewRegistry(
		New(Tool{Name: "work", Level: Sensitive}, work),
		New(Tool{Name: "danger", Level: Dangerous}, work),
		New(Tool{Name: "crash"}, simple(func(context.Context) (*Result, error) { panic("boom") })),
		New(Tool{Name: "slow", Timeout: time.Millisecond}, simple(func(ctx context.Context) (*Result, error) { <-ctx.Done(); return nil, ctx.Err() })),
		New(Tool{Name: "wide", Cap: 1000}, simple(func(context.Context) (*Result, error) {
			return Text(strings.Repeat("a secret sk-abcdefghijklmnopqrstuvwxyz é\n", 1000)), nil
		})),
		New(Tool{Name: "question", NeedsAsk: true}, simple(func(context.Context) (*Result, error) { return Text("asked"), nil })),
	)
	if err != nil {
		t.Fatal(err)
	}
	r.gate = &testGate{verdict: Verdict{Ruling: Run}, log: &r.log}
	r.Dispatcher = &Dispatcher{Session: "s", Registry: reg, Gate: r.gate, Env: &Env{Spool: NewSpool(filepath.Join(r.dir, "spool"), nil)},
		Redactor: NewRedactor("the-daemons-own-key"), Audit: NewAudit(filepath.Join(r.dir, "audit.jsonl")), Breaker: &Breaker{}}
	t.Cleanup(func() { r.Audit.Close() })
	return r
}

func (r *testRig) call(name, args string) *Result {
	return r.Run(context.Background(), &Invocation{Turn: "t1", ID: "c1", Name: name, Args: args, Hooks: Hooks{
		Planned: func(*Plan, Level) { r.log = append(r.log, "planned") },
		Running: func() { r.log = append(r.log, "running") },
		Output:  func(s string) { r.log = append(r.log, "output "+s) },
	}})
}

// TestSteps: the steps of the pipeline in their order, and where each stops.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		gate             testGate
		code             Code
		says             string
		log              []string
	}{
		{"runs", "work", `{"path":"x"}`, testGate{verdict: Verdict{Ruling: Run}}, "", "worked on x", []string{"plan", "planned", "judge", "running", "run", "output live"}},
		{"asks, allowed", "work", `{"path":"x"}`, testGate{verdict: Verdict{Ruling: Ask}, answer: Answer{Decision: Allow, Feedback: "nice"}}, "", "The user says: nice", []string{"plan", "planned", "judge", "confirm", "running", "run", "output live"}},
		{"asks, rejected", "work", `{"path":"x"}`, testGate{verdict: Verdict{Ruling: Ask}, answer: Answer{Decision: Reject, Feedback: "no"}}, CodeDenied, "The user says: no", []string{"plan", "planned", "judge", "confirm"}},
		{"asks, no answer", "work", `{"path":"x"}`, testGate{verdict: Verdict{Ruling: Ask}, err: errors.New("gone")}, CodeDenied, "gone", []string{"plan", "planned", "judge", "confirm"}},
		{"asks, empty decision", "work", `{"path":"x"}`, testGate{verdict: Verdict{Ruling: Ask}}, CodeDenied, "unknown decision", []string{"plan", "planned", "judge", "confirm"}},
		{"denied", "work", `{"path":"x"}`, testGate{verdict: Verdict{Ruling: Deny, Reason: "plan mode"}}, CodeDenied, "plan mode", []string{"plan", "planned", "judge"}},
		{"no ruling at all", "work", `{"path":"x"}`, testGate{}, CodeDenied, "", []string{"plan", "planned", "judge"}},
		{"unknown tool", "wrok", `{}`, testGate{}, CodeNotFound, "work", nil},
		{"no name", "", `{}`, testGate{}, CodeNotFound, "The tools are", nil},
		{"bad arguments", "work", `{`, testGate{}, CodeInvalidArguments, "break off", nil},
		{"off", "danger", `{"path":"x"}`, testGate{}, CodeDisabled, "/tool enable danger", nil},
		{"nobody to ask", "question", `{}`, testGate{}, CodeUnavailable, "", nil},
		{"crash", "crash", ``, testGate{verdict: Verdict{Ruling: Run}}, CodeExecution, "fault of its own", []string{"planned", "judge", "running"}},
		{"too slow", "slow", `null`, testGate{verdict: Verdict{Ruling: Run}}, CodeTimeout, "longer than", []string{"planned", "judge", "running"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			c.gate.log = &r.log
			*r.gate = c.gate
			res := r.call(c.tool, c.args)
			var code Code
			if res.Error != nil {
				code = res.Error.Code
			}
			if code != c.code || !strings.Contains(res.Text, c.says) {
				t.Errorf("%q: %s", code, res.Text)
			}
			if !reflect.DeepEqual(r.log, c.log) {
				t.Errorf("steps %v, want %v", r.log, c.log)
			}
			if strings.Contains(res.Text, "sk-abc") {
				t.Errorf("a secret: %s", res.Text)
			}
		})
	}
}

// TestRedactBeforeCap: a secret that lies across the cut is masked all the
// same, in the result and in the file that keeps the whole.
func TestRedactBeforeCap(t *testing.T) {
	r := newRig(t)
	res := r.call("wide", "")
	if len(res.Text) > 1000 || !res.Stats.Truncated || strings.Contains(res.Text, "sk-") || !strings.Contains(res.Text, "left out") {
		t.Errorf("%d bytes: %s", len(res.Text), res.Text)
	}
	files, err := filepath.Glob(filepath.Join(r.dir, "spool", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(b), "sk-") || strings.Count(string(b), "\n") != 1000 {
		t.Errorf("%v: %d bytes", err, len(b))
	}
	if fi, err := os.Stat(files[0]); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
}

// TestAudit: every call leaves a line, with secrets masked, for this user only.
func TestAudit(t *testing.T) {
	r := newRig(t)
	r.call("work", `{"path":"the-daemons-own-key and ghp_abcdefghijklmnopqrstuvwxyz0123456789"}`)
	r.call("nope", `{}`)
	r.call("danger", `{"path":"x"}`)
	path := filepath.Join(r.dir, "audit.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "\n"); n != 3 {
		t.Errorf("%d lines", n)
	}
	for _, secret := range []string{"own-key", "ghp_", "sk-"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("%s is in the audit", secret)
		}
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
}

// TestAuditOfTwo: of two daemons that share the file only one sets it aside, and
// a line that was cut by a crash does not spoil the next one.
func TestAuditOfTwo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, []byte(`{"tool":"cu`), 0o600); err != nil {
		t.Fatal(err)
	}
	a, b := NewAudit(path), NewAudit(path)
	write := func(l *Audit, tool string) {
		t.Helper()
		if err := l.Write(Record{Tool: tool}); err != nil {
			t.Fatal(err)
		}
	}
	write(a, "first")
	write(b, "second")
	a.size, b.size = maxAuditBytes, maxAuditBytes
	write(a, "third")
	write(b, "fourth")
	for file, want := range map[string][]string{path + ".1": {"first", "second"}, path: {"third", "fourth"}} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for line := range strings.Lines(string(text)) {
			var r Record
			if json.Unmarshal([]byte(line), &r) == nil {
				have = append(have, r.Tool)
			}
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: %v", file, have)
		}
	}
}

// TestBreakerCancelled: a cancelled call says nothing of its tool.
func TestBreakerCancelled(t *testing.T) {
	now := time.Unix(0, 0)
	r := newRig(t)
	r.Breaker.now = func() time.Time { return now }
	for i := range 3 {
		r.Run(context.Background(), &Invocation{ID: "c", Name: "crash", Message: i})
	}
	now = now.Add(301 * time.Second)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if res := r.Run(ctx, &Invocation{ID: "c", Name: "crash", Message: 4}); res.Error.Code != CodeCancelled {
		t.Fatal(res.Text)
	}
	if res := r.Run(context.Background(), &Invocation{ID: "c", Name: "crash", Message: 5}); res.Error.Code != CodeExecution {
		t.Fatal(res.Text)
	}
	if res := r.Run(context.Background(), &Invocation{ID: "c", Name: "crash", Message: 6}); res.Error.Code != CodeCircuitOpen {
		t.Fatal(res.Text)
	}
}

// TestBreaker: three faults in a row open it, a call after the pause tries,
// siblings count once, mistakes of the model do not count.
func TestBreaker(t *testing.T) {
	now := time.Unix(0, 0)
	r := newRig(t)
	r.Breaker.now = func() time.Time { return now }
	crash := func(message int) Code {
		res := r.Run(context.Background(), &Invocation{ID: "c", Name: "crash", Message: message})
		return res.Error.Code
	}
	for _, message := range []int{1, 1, 1, 2} {
		if code := crash(message); code != CodeExecution {
			t.Fatal(code)
		}
	}
	if code := crash(3); code != CodeExecution {
		t.Fatal("two messages opened it")
	}
	if code := crash(4); code != CodeCircuitOpen {
		t.Fatal(code)
	}
	now = now.Add(301 * time.Second)
	if code := crash(5); code != CodeExecution { // half open: one try
		t.Fatal(code)
	}
	if code := crash(6); code != CodeCircuitOpen {
		t.Fatal(code)
	}
	r.Breaker.Set("crash", false)
	if code := crash(7); code != CodeExecution {
		t.Fatal(code)
	}
	for range 5 {
		if res := r.call("work", `{}`); res.Error.Code != CodeInvalidArguments {
			t.Fatal(res.Text)
		}
	}
	if res := r.call("work", `{"path":"x"}`); res.Error != nil {
		t.Fatal(res.Text)
	}
	r.Breaker.Set("work", true)
	if res := r.call("work", `{"path":"x"}`); res.Error == nil || !strings.Contains(res.Text, "300 s") && !strings.Contains(res.Text, "301 s") {
		t.Fatal(res.Text)
	}
}

func BenchmarkDispatch(b *testing.B) {
	reg, err := NewRegistry(New(Tool{Name: "noop"}, Handler[params]{Run: func(context.Context, *Call, *params) (*Result, error) { return Text("ok"), nil }}))
	if err != nil {
		b.Fatal(err)
	}
	var log []string
	d := &Dispatcher{Session: "s", Registry: reg, Gate: &testGate{verdict: Verdict{Ruling: Run}, log: &log}, Env: &Env{},
		Redactor: NewRedactor("the-daemons-own-key"), Audit: NewAudit(filepath.Join(b.TempDir(), "audit.jsonl")), Breaker: &Breaker{}}
	for b.Loop() {
		log = log[:0]
		if r := d.Run(context.Background(), &Invocation{ID: "c", Name: "noop", Args: `{"path":"src/main.go","offset":"3"}`}); r.Error != nil {
			b.Fatal(r.Text)
		}
	}
}

// TestLateOutput: what a tool says after its call has ended is told to nobody.
func TestLateOutput(t *testing.T) {
	var late func(string)
	reg, err := NewRegistry(New(Tool{Name: "x", Title: "X", Level: Safe}, Handler[struct{}]{Run: func(_ context.Context, c *Call, _ *struct{}) (*Result, error) {
		late = c.Output
		c.Output("in time ")
		return Text("done"), nil
	}}))
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	d := &Dispatcher{Registry: reg, Gate: runAll{}, Env: &Env{}}
	d.Run(t.Context(), &Invocation{ID: "c", Name: "x", Hooks: Hooks{Output: func(text string) { told += text }}})
	late("late ")
	if told != "in time " {
		t.Errorf("%q", told)
	}
}
