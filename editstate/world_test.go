package editstate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// world is a workspace in a temporary folder.
type world struct {
	t *testing.T
	*Workspace
	dir string
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	return openWorld(t, Config{Roots: []string{dir}})
}

func openWorld(t *testing.T, cfg Config) *world {
	t.Helper()
	h := NewHost("")
	ws, err := h.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close(); h.Close() })
	return &world{t, ws, cfg.Roots[0]}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *world) put(name, text string) {
	w.t.Helper()
	writeFile(w.t, filepath.Join(w.dir, name), text)
}

func (w *world) get(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

// see reads a file whole, as read_file does.
func (w *world) see(name string) *File {
	w.t.Helper()
	f, err := w.Read(context.Background(), name)
	if err != nil {
		w.t.Fatal(err)
	}
	w.SeeAll(f)
	return f
}

// edit makes one edit, without a question.
func (w *world) edit(name, old, repl string) error {
	return w.edits(name, Edit{Old: old, New: repl})
}

func (w *world) edits(name string, edits ...Edit) error {
	c, err := w.PlanEdit(context.Background(), name, edits)
	if err != nil {
		return err
	}
	_, err = w.Apply(context.Background(), c, Approval{})
	return err
}

func (w *world) write(name, text string) error {
	c, err := w.PlanWrite(context.Background(), name, text)
	if err != nil {
		return err
	}
	_, err = w.Apply(context.Background(), c, Approval{})
	return err
}

// wantCode checks the code of an error and that its text holds parts.
func wantCode(t *testing.T, err error, code Code, parts ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("%v, want the code %s", err, code)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%q does not say %q", err, p)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fileMode(t *testing.T, path string) os.FileMode {
	fi, err := os.Stat(path)
	must(t, err)
	return fi.Mode().Perm()
}
