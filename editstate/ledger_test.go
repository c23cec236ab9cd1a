package editstate

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReadBeforeEdit: what has not been seen, or not as it is now, is not
// written.
func TestReadBeforeEdit(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "1\n2\n3\n4\n5\n"})
	wantCode(t, w.edit("f", "3", "x"), NotRead, "not been read")
	wantCode(t, w.write("f", "x\n"), NotRead)

	f, err := w.Read(t.Context(), "f")
	must(t, err)
	w.See(f, 2, 3)
	wantCode(t, w.edit("f", "4", "x"), NotRead, "lines 4 to 4", "2-3")
	wantCode(t, w.edit("f", "3\n4", "x"), NotRead)
	wantCode(t, w.write("f", "x\n"), NotRead, "5 lines")
	must(t, w.edit("f", "3", "three\nand more"))
	must(t, w.edit("f", "and more", "and less")) // our own text is seen
	must(t, w.edit("f", "2\nthree", "two\nthree"))
	wantCode(t, w.edit("f", "4", "x"), NotRead)

	w.see("f")
	must(t, w.write("f", "all new\n"))
	w.put("f", "all new\nuser line\n") // E35
	wantCode(t, w.write("f", "mine\n"), Stale, "changed since")
	wantCode(t, w.edit("f", "all", "x"), Stale)
	if have := w.get("f"); have != "all new\nuser line\n" {
		t.Errorf("%q", have)
	}
}

// TestEqualBytesAreFresh: a new time without new bytes is nothing; new bytes
// at the same size and time are.
func TestEqualBytesAreFresh(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\n", "g": "one\n"})
	w.see("f")
	w.see("g")
	path := filepath.Join(w.dir, "f")
	must(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)))
	must(t, w.edit("f", "one", "two"))

	path = filepath.Join(w.dir, "g")
	fi, err := os.Stat(path)
	must(t, err)
	w.put("g", "ONE\n")
	must(t, os.Chtimes(path, fi.ModTime(), fi.ModTime()))
	wantCode(t, w.edit("g", "one", "two"), Stale)
}

// TestWatcherTells: E39 and E41. A changed file is told of once, also after
// atomic saves; our own writes and equal bytes are not.
func TestWatcherTells(t *testing.T) {
	told := make(chan []string, 16)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "f"), "one\n")
	w := openWorld(t, Config{Roots: []string{dir}, OnStale: func(p []string) { told <- p }})
	save := func(text string) { // as editors do
		writeFile(t, filepath.Join(dir, "f.tmp"), text)
		must(t, os.Rename(filepath.Join(dir, "f.tmp"), filepath.Join(dir, "f")))
	}
	w.see("f")
	must(t, w.edit("f", "one", "two"))
	for _, text := range []string{"three\n", "four\n"} {
		save(text)
		if have := <-told; !reflect.DeepEqual(have, []string{"f"}) {
			t.Errorf("told of %v", have)
		}
		if have := w.Ledger().TakeStale(); !slices.Equal(have, []string{"f"}) {
			t.Errorf("stale: %v", have)
		}
		if have := w.Ledger().TakeStale(); len(have) > 0 {
			t.Errorf("told twice: %v", have)
		}
		w.see("f")
	}
	save("four\n") // equal bytes
	must(t, os.Remove(filepath.Join(dir, "f")))
	if have := <-told; !reflect.DeepEqual(have, []string{"f"}) {
		t.Errorf("told of %v", have)
	}
	select {
	case have := <-told:
		t.Errorf("told of %v", have)
	default:
	}
}

// TestFoldersComeAndGo: a watched folder is renamed away and another put in
// its place.
func TestFoldersComeAndGo(t *testing.T) {
	told := make(chan []string, 16)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "d", "f"), "one\n")
	writeFile(t, filepath.Join(dir, "e", "f"), "other\n")
	w := openWorld(t, Config{Roots: []string{dir}, OnStale: func(p []string) { told <- p }})
	w.see("d/f")
	must(t, os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "old")))
	must(t, os.Rename(filepath.Join(dir, "e"), filepath.Join(dir, "d")))
	<-told
	w.see("d/f")
	writeFile(t, filepath.Join(dir, "d", "f"), "changed again\n")
	<-told
}

func TestLineSet(t *testing.T) {
	var s lineSet
	s.add(span{5, 7})
	s.add(span{1, 2})
	s.add(span{8, 9})
	s.add(span{3, 3})
	if s.String() != "1-3,5-9" || !s.has(span{5, 9}) || s.has(span{3, 5}) || !s.has(span{4, 3}) {
		t.Errorf("%s", s)
	}
	for _, c := range []struct{ before, after, seen, want string }{
		{"1\n2\n3\n4\n5\n", "1\n2\nx\ny\n4\n5\n", "1-2,4-5", "1-6"},
		{"1\n2\n3\n4\n5\n", "1\n3\n4\n5\n", "4-5", "3-4"},
		{"1\n2\n3\n", "0\n1\n2\n3\n", "2-2", "1-1,3-3"},
		{"1\n2\n3\n4\n5\n6\n", "1\nb\n3\n4\ne\n6\n", "1-6", "1-6"},
		{"1\n2\n3\n", "1\n2\n3\n4\n", "1-1", "1-1,4-4"},
		{"1\n2\n3\n4\n", "1\n4\n", "1-4", "1-2"},
	} {
		if have := parseSet(t, c.seen).through(hunksOf(c.before, c.after)).String(); have != c.want {
			t.Errorf("%q to %q, seen %s: %s, want %s", c.before, c.after, c.seen, have, c.want)
		}
	}
}

// TestSavedBuffer: an unsaved text that is saved is the same text, also where
// the file has a byte order mark that the editor's text has not.
func TestSavedBuffer(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "\xEF\xBB\xBFone\n"})
	uri := PathToURI(filepath.Join(w.dir, "f"))
	w.see("f")
	must(t, w.host.SetBuffer(Buffer{URI: uri, Version: 2, Text: "one\ntwo\n"}))
	wantCode(t, w.edit("f", "one", "x"), Stale)
	w.see("f")
	w.put("f", "\xEF\xBB\xBFone\ntwo\n")
	must(t, w.host.ClearBuffer(uri))
	must(t, w.edit("f", "one", "eins"))
	if have := w.get("f"); have != "\xEF\xBB\xBFeins\ntwo\n" {
		t.Errorf("%q", have)
	}
}

// TestBuffers: what cannot go through the editor is refused, and never written
// to the disk behind its back.
func TestBuffers(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "disk\n"})
	uri := PathToURI(filepath.Join(w.dir, "f"))
	must(t, w.host.SetBuffer(Buffer{URI: uri, Version: 2, Text: "dirty\n"}))
	w.see("f")
	wantCode(t, w.edit("f", "dirty", "x"), Refused, "unsaved")
	must(t, w.host.SetBuffer(Buffer{URI: uri, Version: 1, Text: "older\n"})) // late: ignored
	f, err := w.Read(t.Context(), "f")
	must(t, err)
	if f.Doc.Text != "dirty\n" {
		t.Errorf("%q", f.Doc.Text)
	}
	wantCode(t, w.host.SetBuffer(Buffer{URI: uri, Version: 3, Text: strings.Repeat("x", MaxBufferBytes+1)}), TooLarge)
	if _, err := w.Read(t.Context(), "f"); !isCode(err, TooLarge) {
		t.Errorf("a text that was too large passes for %v", err)
	}
	must(t, w.host.ClearBuffer(uri))
	w.see("f")
	must(t, w.edit("f", "disk", "file"))
	wantCode(t, w.host.SetBuffer(Buffer{URI: "http://x/y"}), InvalidPath)
}
