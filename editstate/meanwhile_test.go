package editstate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSavedWhileWritten: what somebody saves after the last look and before the
// new file takes its place is not overwritten.
func TestSavedWhileWritten(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\n"})
	f := w.see("f")
	put := func(text string, kept func() error) error {
		_, _, _, err := w.host.put(writing{loc: f.Loc, b: []byte(text), old: f, mode: f.mode, kept: kept})
		return err
	}
	err := put("two\n", func() error { w.put("f", "one\nby the user\n"); return nil })
	wantCode(t, err, Stale, "nothing was written")
	if have := w.get("f"); have != "one\nby the user\n" {
		t.Errorf("%q", have)
	}
	err = put("two\n", func() error { return os.Remove(filepath.Join(w.dir, "f")) })
	wantCode(t, err, Stale)

	// A file that was only made private stays so.
	w.put("f", "one\n")
	f = w.see("f")
	must(t, put("two\n", func() error { return os.Chmod(filepath.Join(w.dir, "f"), 0o600) }))
	if have := fileMode(t, filepath.Join(w.dir, "f")); have != 0o600 || w.get("f") != "two\n" {
		t.Errorf("%o", have)
	}
	entries, err := os.ReadDir(w.dir)
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}

// TestRootReplaced: once the folder of a root is elsewhere nothing is read or
// written, neither in the folder itself nor in what stands in its place.
func TestRootReplaced(t *testing.T) {
	for name, replace := range map[string]func(dir, other string) error{
		"removed":          func(string, string) error { return nil },
		"made anew":        func(dir, _ string) error { return os.Mkdir(dir, 0o755) },
		"a link":           func(dir, other string) error { return os.Symlink(other, dir) },
		"a link to itself": func(dir, _ string) error { return os.Symlink(dir+".old", dir) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f": "one\n"})
			other := t.TempDir()
			writeFile(t, filepath.Join(other, "f"), "one\n")
			w.see("f")
			c, err := w.PlanEdit(t.Context(), "f", []Edit{{Old: "one", New: "two"}})
			must(t, err)
			must(t, os.Rename(w.dir, w.dir+".old"))
			must(t, replace(w.dir, other))
			if _, err = w.Apply(t.Context(), c, Approval{}); err == nil {
				t.Error("the change was applied")
			}
			wantCode(t, w.write("new", "x\n"), NotFound, "moved, removed or replaced", "new session")
			for _, dir := range []string{other, w.dir + ".old"} {
				if b, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(b) != "one\n" {
					t.Errorf("%s: %q %v", dir, b, err)
				}
				if _, err := os.Lstat(filepath.Join(dir, "new")); err == nil {
					t.Errorf("a file was made in %s", dir)
				}
			}
		})
	}
}

// TestFolderAboveRenamed: no event tells of it, but the model is told, and what
// stands there now is watched.
func TestFolderAboveRenamed(t *testing.T) {
	w := newWorld(t, map[string]string{"a/b/f": "one\n", "new/b/f": "two\n"})
	w.see("a/b/f")
	a := filepath.Join(w.dir, "a")
	must(t, os.Rename(a, a+".old"))
	must(t, os.Rename(filepath.Join(w.dir, "new"), a))
	if have := w.Ledger().TakeStale(); len(have) != 1 {
		t.Errorf("%v", have)
	}
	w.see("a/b/f")
	w.put("a/b/f", "three\n")
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if e := w.Ledger().Entries(); e[0].Stale {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the folder in its place is not watched")
		}
	}
}

// TestBufferOfBentLink: a buffer that was opened through a link goes when it is
// closed, also if the link leads elsewhere by then.
func TestBufferOfBentLink(t *testing.T) {
	w := newWorld(t, map[string]string{"one": "one\n", "two": "two\n"})
	link := filepath.Join(w.dir, "link")
	must(t, os.Symlink("one", link))
	uri := PathToURI(link)
	must(t, w.host.SetBuffer(Buffer{URI: uri, Version: 5, Text: "unsaved\n"}))
	must(t, os.Remove(link))
	must(t, os.Symlink("two", link))
	must(t, w.host.SetBuffer(Buffer{URI: uri, Version: 6, Text: "still unsaved\n"}))
	for name, want := range map[string]string{"one": "one\n", "two": "still unsaved\n"} {
		if have := w.see(name).Doc.Text; have != want {
			t.Errorf("%s: %q", name, have)
		}
	}
	must(t, os.Remove(link))
	must(t, os.Symlink("one", link))
	must(t, w.host.ClearBuffer(uri))
	if have := w.see("two").Doc.Text; have != "two\n" || w.host.buffers.bytes != 0 {
		t.Errorf("%q, %d bytes", have, w.host.buffers.bytes)
	}
}

// TestJoinedLine: an edit that joins a line to the next one needs both to be
// seen.
func TestJoinedLine(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "1\n2\n3\n"})
	f, err := w.Read(t.Context(), "f")
	must(t, err)
	w.See(f, 1, 2)
	wantCode(t, w.edit("f", "2\n", "2"), NotRead, "lines 2 to 3")
	must(t, w.edit("f", "2\n", "")) // the whole line
	if have := w.get("f"); have != "1\n3\n" {
		t.Errorf("%q", have)
	}
}

// TestManyPlaces: edits of many places, and texts that overlap themselves, take
// no longer than their sizes.
func TestManyPlaces(t *testing.T) {
	all := func(text, old, repl string) string {
		r, err := new(Workspace).apply(t.Context(), Edit{Old: old, New: repl, All: true}, "f", text, UTF8)
		must(t, err)
		return r.text
	}
	start := time.Now()
	for _, text := range []string{strings.Repeat("key = value\r\n", 50_000), strings.Repeat("key = ", 100_000)} {
		if all(text, "key", "name") != strings.ReplaceAll(text, "key", "name") {
			t.Error("not all were replaced")
		}
	}
	for _, part := range []string{"a", "ab", "abc"} {
		v, old := viewOf(strings.Repeat(part, 400_000)), strings.Repeat(part, 200_000)
		if have := len(v.find(old)); have != 200_001 {
			t.Errorf("%q: %d places", part, have)
		}
	}
	blank := strings.Repeat(" ", 500) + "\n"
	nearMiss(t.Context(), strings.Repeat(blank, 20_000), strings.Repeat(blank, 2000)+"nowhere")
	if d := time.Since(start); d > time.Minute {
		t.Errorf("it took %s", d)
	}
	_, err := new(Workspace).apply(t.Context(), Edit{Old: "a", New: "b", All: true}, "f", strings.Repeat("a", mostPlaces+2), UTF8)
	wantCode(t, err, TooLarge)
}

// TestLookAlikes: of lines that show the same in an unknown encoding none is
// left out by guess.
func TestLookAlikes(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "\xe9=1\n\xe8=1\nx\n"})
	w.see("f")
	wantCode(t, w.write("f", "\ufffd=1\nx\n"), BadEncoding, "cannot be told")
	must(t, w.write("f", "\ufffd=1\n\ufffd=1\ny\n"))
	if have := w.get("f"); have != "\xe9=1\n\xe8=1\ny\n" {
		t.Errorf("%q", have)
	}
	must(t, w.write("f", "y\n")) // without any of them
}

// TestNoTextByName: content that is refused is called by its name.
func TestNoTextByName(t *testing.T) {
	for want, text := range map[string]string{
		"UTF-16 (little-endian) without": "h\x00i\x00\n\x00\n\x00",
		"UTF-16 (big-endian) without":    "\x00h\x00i\x00\n\x00\n",
		"UTF-16 with damaged":            "\xff\xfeh\x00\x00\xd8",
		"binary":                         "\x00\x01\x02\x03\x04\x05\x06",
	} {
		d := Decode([]byte(text))
		_, err := (&File{Display: "f", Bytes: []byte(text), Doc: d}).Text()
		var e *Error
		if !errors.As(err, &e) || e.Code != BadEncoding || !strings.Contains(e.Message, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
