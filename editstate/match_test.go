package editstate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusedEdits: edits that do not fit say what to do and change nothing.
func TestRefusedEdits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		edits      []Edit
		code       Code
		says       []string
	}{
		{"E14 wrong blanks", "def f():\n    x = 1\n    y = 2\n", []Edit{{Old: "    x  =  1", New: "z"}}, NoMatch, []string{"Line 2"}},
		{"E15 blanks for a tab", "func f() {\n\treturn\n}\n", []Edit{{Old: "    return", New: "x"}}, NoMatch, []string{"tabs", "Line 2", `"\treturn"`}},
		{"E19 empty", "abc\n", []Edit{{Old: "", New: "X"}}, NoMatch, []string{"empty"}},
		{"E19 empty, all", "abc\n", []Edit{{Old: "", New: "X", All: true}}, NoMatch, []string{"empty"}},
		{"E21 twice", "x=1\ny=2\nx=1\n", []Edit{{Old: "x=1", New: "x=2"}}, NoMatch, []string{"2 times", "lines 1, 3"}},
		{"overlapping", "aaa\n", []Edit{{Old: "aa", New: "b"}}, NoMatch, []string{"2 times"}},
		{"E22 no change", "abc\n", []Edit{{Old: "abc", New: "abc"}}, NoChange, nil},
		{"E22 no change but for endings", "a\r\nb\r\n", []Edit{{Old: "a\nb", New: "a\r\nb"}}, NoChange, nil},
		{"E43 line number", "foo\nbar\n", []Edit{{Old: "     2\tbar", New: "x"}}, NoMatch, []string{"line numbers", "line 2"}},
		{"E46 composed", "caf\u0065\u0301\n", []Edit{{Old: "caf\u00e9", New: "x"}}, NoMatch, []string{"Unicode", "Line 1"}},
		{"quotes", "say “hi”\n", []Edit{{Old: `say "hi"`, New: "x"}}, NoMatch, []string{"quotes", "Line 1"}},
		{"entities", "a && b\n", []Edit{{Old: "a &amp;&amp; b", New: "x"}}, NoMatch, []string{"HTML"}},
		{"nothing alike", "a\n", []Edit{{Old: "zzzzz", New: "x"}}, NoMatch, []string{"Nothing like it"}},
		{"second of two", "a\nb\n", []Edit{{Old: "a", New: "x"}, {Old: "c", New: "y"}}, NoMatch, []string{"edit 2 of 2", "no edit was made"}},
		{"there and back", "a\n", []Edit{{Old: "a", New: "b"}, {Old: "b", New: "a"}}, NoChange, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f": c.text})
			w.see("f")
			before, err := os.Stat(filepath.Join(w.dir, "f"))
			must(t, err)
			wantCode(t, w.edits("f", c.edits...), c.code, c.says...)
			after, err := os.Stat(filepath.Join(w.dir, "f"))
			must(t, err)
			if w.get("f") != c.text || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
				t.Errorf("the file was touched: %q", w.get("f"))
			}
		})
	}
}

// TestE14 replaces a part of a line: only the matched span changes.
func TestE14(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "def f():\n    x = 1\n    y = 2\n"})
	w.see("f")
	must(t, w.edit("f", "  x = 1\n", "  z = 1\n"))
	if have := w.get("f"); have != "def f():\n    z = 1\n    y = 2\n" {
		t.Errorf("%q", have)
	}
}

// TestSeveralEdits: in order, each on what the one before left.
func TestSeveralEdits(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "a\nb\na\n"})
	w.see("f")
	must(t, w.edits("f", Edit{Old: "a", New: "c", All: true}, Edit{Old: "c\nb", New: "d"}))
	if have := w.get("f"); have != "d\nc\n" {
		t.Errorf("%q", have)
	}
}

// TestBigFiles edits a file of 50 MB and one with a line of 1 MB.
func TestBigFiles(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	big := strings.Repeat(line, 250_000) + "the needle\n" + strings.Repeat(line, 250_000)
	w := newWorld(t, map[string]string{"big": big, "long": strings.Repeat("y", 1<<20) + "needle" + strings.Repeat("z", 1<<20)})
	w.see("big")
	must(t, w.edit("big", "the needle", "a pin"))
	if have := w.get("big"); have != strings.Replace(big, "the needle", "a pin", 1) {
		t.Error("the big file is not as it should be")
	}
	w.see("long")
	must(t, w.edit("long", "needle", "pin"))
	if have := w.get("long"); !strings.Contains(have, "ypinz") || len(have) != 2<<20+3 {
		t.Error("the long line is not as it should be")
	}
}
