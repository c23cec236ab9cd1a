package editstate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestAskEditor checks what counts as unsaved when an editor is asked for its
// text of a file.
func TestAskEditor(t *testing.T) {
	for _, tc := range []struct {
		name   string
		disk   string // "" is no file
		editor string
		err    error
		want   string // of Read; "" is an error
		source Source
	}{
		{"the same", "one\n", "one\n", nil, "one\n", Disk},
		{"other line endings", "one\r\ntwo\r\n", "one\ntwo\n", nil, "one\r\ntwo\r\n", Disk},
		{"without the byte order mark", "\ufeffone\n", "one\n", nil, "\ufeffone\n", Disk},
		{"unsaved", "one\n", "two\n", nil, "two\n", InBuffer},
		{"emptied", "one\n", "", nil, "", InBuffer},
		{"not open", "one\n", "", ErrNotInEditor, "one\n", Disk},
		{"new, unsaved", "", "new\n", nil, "new\n", InBuffer},
		{"not there", "", "", nil, "", ""},
		{"nowhere", "", "", ErrNotInEditor, "", ""},
		{"cannot be asked", "one\n", "", errors.New("broken"), "", ""},
		{"binary", "a\x00b", "a?b", nil, "a\x00b", Disk},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if tc.disk != "" {
				if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(tc.disk), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			h := NewHost("")
			defer h.Close()
			w, err := h.Open(Config{Roots: []string{dir}, ReadEditor: func(context.Context, string) (string, error) { return tc.editor, tc.err }})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			f, err := w.Read(t.Context(), "a.txt")
			if tc.source == "" {
				if err == nil {
					t.Fatalf("read %q", f.Bytes)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(f.Bytes) != tc.want || f.Source != tc.source {
				t.Errorf("%q from %s, want %q from %s", f.Bytes, f.Source, tc.want, tc.source)
			}
		})
	}
}

// TestEditorSaves checks that a buffer is forgotten once the editor has saved it.
func TestEditorSaves(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	text := "two\n"
	h := NewHost("")
	defer h.Close()
	w, err := h.Open(Config{Roots: []string{dir}, ReadEditor: func(context.Context, string) (string, error) { return text, nil },
		ApplyBuffer: func(_ context.Context, e BufferEdit) (BufferResult, error) {
			text = e.Text
			return BufferResult{Applied: true, Version: e.BaseVersion + 1}, os.WriteFile(file, []byte(text), 0o644)
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.WriteFile(file, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := w.Read(t.Context(), "a.txt")
	if err != nil || f.Source != InBuffer {
		t.Fatalf("%v %v", f, err)
	}
	w.SeeAll(f)
	c, err := w.PlanEdit(t.Context(), "a.txt", []Edit{{Old: "two", New: "three"}})
	if err != nil {
		t.Fatal(err)
	}
	done, err := w.Apply(t.Context(), c, Approval{})
	if err != nil || !done.OnDisk {
		t.Fatalf("%+v %v", done, err)
	}
	if f, err = w.Read(t.Context(), "a.txt"); err != nil || f.Source != Disk || string(f.Bytes) != "three\n" {
		t.Errorf("%+v %v", f, err)
	}
}
