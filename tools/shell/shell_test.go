package shell

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// world is a workspace with run_command over it.
type world struct {
	t   testing.TB
	dir string
	env *tools.Env
	d   *tools.Dispatcher

	mu   sync.Mutex
	live strings.Builder
}

// openGate lets everything run.
type openGate struct{}

func (openGate) Judge(*tools.Request) tools.Verdict { return tools.Verdict{Ruling: tools.Run} }

func (openGate) Confirm(context.Context, *tools.Request) (tools.Answer, error) {
	return tools.Answer{Decision: tools.Allow}, nil
}

func newWorld(t testing.TB) *world {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: filepath.Join(base, "ws")}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	host := editstate.NewHost("")
	ws, err := host.Open(editstate.Config{Roots: []string{w.dir}})
	if err != nil {
		t.Fatal(err)
	}
	reg, err := tools.NewRegistry(NewRun())
	if err != nil {
		t.Fatal(err)
	}
	spool := tools.NewSpool(filepath.Join(base, "spool"), tools.NewRedactor())
	w.env = &tools.Env{Files: ws, Spool: spool, Environ: os.Environ()}
	w.d = &tools.Dispatcher{Registry: reg, Gate: openGate{}, Env: w.env, Redactor: tools.NewRedactor()}
	if err := w.d.Enable("run_command", true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.env.Close(); err != nil {
			t.Error(err)
		}
		ws.Close()
		host.Close()
	})
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// args are the arguments of a call.
type args map[string]any

func (w *world) call(ctx context.Context, a args) *tools.Result {
	w.t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.d.Run(ctx, &tools.Invocation{ID: "c", Name: "run_command", Args: string(b), Hooks: tools.Hooks{Output: func(s string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.live.WriteString(s)
	}}})
}

func (w *world) run(command string) (*tools.Result, *RunData) {
	w.t.Helper()
	r := w.call(w.t.Context(), args{"command": command})
	d, ok := r.Data.(*RunData)
	if !ok {
		w.t.Fatalf("%s: no data: %s", command, r.Text)
	}
	return r, d
}

// body is the output without the lines that the tool adds.
func body(r *tools.Result) string {
	text := r.Text
	if i := strings.LastIndex(text, "[exit code"); i >= 0 {
		text = text[:i]
	}
	return text
}

func (w *world) has(text string, parts ...string) {
	w.t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			w.t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}
