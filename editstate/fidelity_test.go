package editstate

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEditKeepsBytes edits files of all kinds: only the replaced bytes differ.
func TestEditKeepsBytes(t *testing.T) {
	for _, c := range []struct{ name, before, old, repl, after string }{
		{"E01 LF for CRLF", "a = 1\r\nb = 2\r\nc = 3\r\n", "a = 1\nb = 2", "a = 10\nb = 20", "a = 10\r\nb = 20\r\nc = 3\r\n"},
		{"E03 bare CR and mixed endings", "pct 1\rpct 2\rdone\nkey=1\r\nend\n", "key=1", "key=2", "pct 1\rpct 2\rdone\nkey=2\r\nend\n"},
		{"E04 CRLF in the new text of a CRLF file", "one\r\ntwo\r\n", "one\n", "x\r\ny\r\n", "x\r\ny\r\ntwo\r\n"},
		{"E04 CRLF in the new text of an LF file", "one\ntwo\n", "one\n", "x\r\ny\r\n", "x\ny\ntwo\n"},
		{"E05 BOM", "\xEF\xBB\xBFhello\nx\n", "hello", "hello2", "\xEF\xBB\xBFhello2\nx\n"},
		{"E07 Latin-1", "caf\xE9 menu\nprice=1\n", "price=1", "price=2", "caf\xE9 menu\nprice=2\n"},
		{"E09 UTF-16LE", "\xFF\xFEh\x00e\x00l\x00l\x00o\x00\r\x00\n\x00", "hello", "bye", "\xFF\xFEb\x00y\x00e\x00\r\x00\n\x00"},
		{"E09 UTF-16BE", "\xFE\xFF\x00h\x00i\x00\n", "hi", "yo", "\xFE\xFF\x00y\x00o\x00\n"},
		{"E12 trailing blanks", "line 1\nline 2\n", "line 2", "line 2  \nline 3\t", "line 1\nline 2  \nline 3\t\n"},
		{"E17 backslashes", "x\n", "x", `print("a\nb") \title{x} \`, `print("a\nb") \title{x} \` + "\n"},
		{"E18 entities", "x\n", "x", "<p>a &amp; b &lt; c &apos;</p>", "<p>a &amp; b &lt; c &apos;</p>\n"},
		{"dollar signs", "x\n", "x", "$1 $& ${x} $$", "$1 $& ${x} $$\n"},
		{"no final newline", "a\nb", "b", "c", "a\nc"},
		{"no final newline, CRLF", "a\r\nb", "b", "c\nd", "a\r\nc\r\nd"},
		{"form feed and line separator", "a\fb\u2028c\n", "c", "d", "a\fb\u2028d\n"},
		{"E46 decomposed", "e\u0301 x\n", "x", "y", "e\u0301 y\n"},
		{"E43 a real number and tab", "     2\tfoo\n", "     2\tfoo", "bar", "bar\n"},
		{"only a newline", "a\n\n\nb\n", "a\n\n", "a\n", "a\n\nb\n"},
		{"delete a CRLF line", "a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"},
		{"mixed endings inside the edit", "a\r\nb\nc\r\n", "a\nb\nc\n", "a\nB\nx\nc\n", "a\r\nB\nx\nc\r\n"},
		{"lone surrogate-like bytes", "a\xED\xA0\x80\nx=1\n", "x=1", "x=2", "a\xED\xA0\x80\nx=2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f.txt": c.before})
			w.see("f.txt")
			must(t, w.edit("f.txt", c.old, c.repl))
			if have := w.get("f.txt"); have != c.after {
				t.Errorf("%q, want %q", have, c.after)
			}
		})
	}
}

// TestWriteKeepsDress overwrites files: the new content is as asked, in the
// encoding and with the endings that the file had.
func TestWriteKeepsDress(t *testing.T) {
	for _, c := range []struct{ name, before, content, after string }{
		{"CRLF", "a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"},
		{"CRLF given", "a\nb\n", "a\r\nc\r\n", "a\nc\n"},
		{"mixed", "a\r\nb\nc\r\n", "a\nb\nc\nd\n", "a\r\nb\nc\r\nd\r\n"},
		{"BOM", "\xEF\xBB\xBFa\n", "b\n", "\xEF\xBB\xBFb\n"},
		{"BOM given, none there", "a\n", "\uFEFFb\n", "b\n"},
		{"UTF-16", "\xFF\xFEa\x00\n\x00", "é\n", "\xFF\xFE\xE9\x00\n\x00"},
		{"Latin-1, lines kept", "caf\xE9\nx\n", "caf\uFFFD\ny\n", "caf\xE9\ny\n"},
		{"bare CR kept", "a\rb\nc\n", "a\rb\nd\n", "a\rb\nd\n"},
		{"to empty", "a\n", "", ""},
		{"final newline taken away", "a\nb\n", "a\nb", "a\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f.txt": c.before})
			w.see("f.txt")
			must(t, w.write("f.txt", c.content))
			if have := w.get("f.txt"); have != c.after {
				t.Errorf("%q, want %q", have, c.after)
			}
		})
	}
}

// TestNewFileIsAsGiven writes files that are not there.
func TestNewFileIsAsGiven(t *testing.T) {
	for _, content := range []string{"", "a", "a\r\nb\n", "\uFEFFa\n", "a\rb"} {
		w := newWorld(t, nil)
		must(t, w.write("deep/er/f.txt", content))
		if have := w.get("deep/er/f.txt"); have != content {
			t.Errorf("%q, want %q", have, content)
		}
		must(t, w.write("deep/er/f.txt", "changed\n")) // E32: seen, since we wrote it
	}
}

// TestEncodingRefusals: what cannot be kept is refused, and the file stays.
func TestEncodingRefusals(t *testing.T) {
	for _, c := range []struct{ name, before, old, repl string }{
		{"not ASCII into Latin-1", "caf\xE9\nx\n", "x", "é"},
		{"binary", "a\x00b\nx\n", "x", "y"},
		{"odd UTF-16", "\xFF\xFEa\x00\n", "a", "b"},
		{"UTF-16 with U+0000", "\xFF\xFEa\x00\x00\x00\n\x00", "a", "b"},
		{"lone surrogate", "\xFE\xFF\xD8\x00\x00a", "a", "b"},
		{"UTF-32", "\xFF\xFE\x00\x00a\x00\x00\x00", "a", "b"},
		{"UTF-32, big end first", "\x00\x00\xFE\xFF\x00\x00\x00a", "a", "b"},
		{"second byte of Shift JIS", "\x95\x5c\x8eA\n", "A", "B"},
		{"the same with replace_all", "A \x95\x5c\x8eA\n", "\\", "/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f.txt": c.before})
			w.see("f.txt")
			wantCode(t, w.edit("f.txt", c.old, c.repl), BadEncoding, "f.txt")
			wantCode(t, w.write("f.txt", "é\n"), BadEncoding)
			if have := w.get("f.txt"); have != c.before {
				t.Errorf("the file is now %q", have)
			}
		})
	}
}

// TestE10 reads text whose multibyte character lies across every likely
// window.
func TestE10(t *testing.T) {
	for _, n := range []int{512, 1000, 1024, 4096, 8000, 8192, 65536} {
		b := make([]byte, n-1)
		for i := range b {
			b[i] = 'a'
		}
		if d := Decode(append(b, "ç\n"...)); d.Encoding != UTF8 {
			t.Errorf("%d: %s", n, d.Encoding)
		}
	}
}

// TestFailedWrite fills the only file system there is as far as it may: the
// old file stays, and nothing is left over (E29).
func TestFailedWrite(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "old\n"})
	w.see("f")
	must(t, os.Chmod(w.dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(w.dir, 0o755) })
	if os.Geteuid() == 0 {
		must(t, os.Chmod(w.dir, 0o755))
		must(t, os.RemoveAll(w.dir)) // root may write anywhere: take the folder away
		wantCode(t, w.edit("f", "old", "new"), NotFound)
		return
	}
	wantCode(t, w.edit("f", "old", "new"), Refused, "as it was")
	if w.get("f") != "old\n" {
		t.Errorf("%q", w.get("f"))
	}
}

// TestMetadata: E23, E25, E27 and read-only files.
func TestMetadata(t *testing.T) {
	w := newWorld(t, map[string]string{"run.sh": "one\n", "a.conf": "one\n", "real.txt": "one\n", "a": "one\n", "ro": "one\n"})
	must(t, os.Chmod(filepath.Join(w.dir, "run.sh"), 0o755))
	must(t, os.Chmod(filepath.Join(w.dir, "a.conf"), 0o640))
	must(t, os.Chmod(filepath.Join(w.dir, "ro"), 0o444))
	must(t, os.Symlink("real.txt", filepath.Join(w.dir, "link.txt")))
	must(t, os.Link(filepath.Join(w.dir, "a"), filepath.Join(w.dir, "b")))
	for _, name := range []string{"run.sh", "a.conf", "link.txt"} {
		w.see(name)
		must(t, w.edit(name, "one", "two"))
	}
	for name, mode := range map[string]os.FileMode{"run.sh": 0o755, "a.conf": 0o640} {
		fi, err := os.Stat(filepath.Join(w.dir, name))
		must(t, err)
		if fi.Mode().Perm() != mode {
			t.Errorf("%s: %v", name, fi.Mode())
		}
	}
	if target, err := os.Readlink(filepath.Join(w.dir, "link.txt")); err != nil || target != "real.txt" || w.get("real.txt") != "two\n" {
		t.Errorf("the link leads to %q (%v), the file is %q", target, err, w.get("real.txt"))
	}
	w.see("a")
	c, err := w.PlanEdit(t.Context(), "a", []Edit{{Old: "one", New: "two"}})
	must(t, err)
	done, err := w.Apply(t.Context(), c, Approval{})
	must(t, err)
	if len(done.Notes) != 1 || w.get("a") != "two\n" || w.get("b") != "one\n" {
		t.Errorf("hard link: %v, a %q, b %q", done.Notes, w.get("a"), w.get("b"))
	}
	w.see("ro")
	wantCode(t, w.edit("ro", "one", "two"), Refused, "read-only")
	entries, err := os.ReadDir(w.dir)
	must(t, err)
	if len(entries) != 7 {
		t.Errorf("something is left over: %v", entries)
	}
}
