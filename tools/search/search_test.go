package search

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// world is a workspace with the search tools over it.
type world struct {
	t    *testing.T
	dir  string
	host *editstate.Host
	d    *tools.Dispatcher
}

// openGate lets everything run.
type openGate struct{}

func (openGate) Judge(*tools.Request) tools.Verdict { return tools.Verdict{Ruling: tools.Run} }

func (openGate) Confirm(context.Context, *tools.Request) (tools.Answer, error) {
	return tools.Answer{Decision: tools.Allow}, nil
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "ws"), host: editstate.NewHost("")}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		w.write(name, text)
	}
	ws, err := w.host.Open(editstate.Config{Roots: []string{w.dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close(); w.host.Close() })
	reg, err := tools.NewRegistry(NewGlob(), NewGrep())
	if err != nil {
		t.Fatal(err)
	}
	w.d = &tools.Dispatcher{Registry: reg, Gate: openGate{}, Env: &tools.Env{Files: ws}, Redactor: tools.NewRedactor()}
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// args are the arguments of a call.
type args map[string]any

func (w *world) call(tool string, a args) *tools.Result {
	w.t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.d.Run(w.t.Context(), &tools.Invocation{ID: "c", Name: tool, Args: string(b)})
}

func (w *world) grep(a args) string {
	w.t.Helper()
	return w.call("grep_search", a).Text
}

func (w *world) glob(pattern string) string {
	w.t.Helper()
	return strings.TrimSpace(w.call("glob_search", args{"pattern": pattern}).Text)
}

func (w *world) want(got, want string) {
	w.t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		w.t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func (w *world) wantIn(got string, parts ...string) {
	w.t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			w.t.Errorf("%q is missing in:\n%s", p, got)
		}
	}
}
