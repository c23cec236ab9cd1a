package demo

import (
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/editstate"
)

// change is a change of two hunks: line 2 of 5 is replaced, a line is added at
// the end.
func change() *editstate.Change {
	old, text := "a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\nf\n"
	return &editstate.Change{URI: "file:///x", Path: "x", Op: editstate.Modify, OldText: &old, NewText: &text, Hunks: []editstate.Hunk{
		{ID: "h1", OldStart: 2, OldLines: 1, NewStart: 2, NewLines: 1, Text: "-b\n+B\n"},
		{ID: "h2", OldStart: 6, OldLines: 0, NewStart: 6, NewLines: 1, Text: "+f\n"},
	}}
}

func TestDiff(t *testing.T) {
	s, _ := testScreen(0)
	want := `  hunk 1 of 2, line 2
    1   1   a
    2     - b
        2 + B
    3   3   c
  hunk 2 of 2, line 6
    4   4   d
    5   5   e
        6 + f`
	if have := strings.Join(s.changeLines(change()), "\n"); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	alone := `  hunk 1 of 2, line 2
    1   1   a
    2     - b
        2 + B
    3   3   c
    4   4   d`
	if have := strings.Join(s.diff(change(), 0, true), "\n"); have != alone {
		t.Errorf("have\n%s\nwant\n%s", have, alone)
	}
}

// TestDiffShowsAll keeps a change from hiding: long lines, control characters,
// white space, a text that is too long to be sent.
func TestDiffShowsAll(t *testing.T) {
	hunk := func(text string) *editstate.Change {
		return &editstate.Change{Op: editstate.Modify, Hunks: []editstate.Hunk{{ID: "h1", OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Text: text}}}
	}
	for _, c := range []struct {
		name  string
		width int
		text  string
		want  string
	}{
		{"long", 30, "+" + strings.Repeat("x", 20) + "END\n", "  line 1\n        1 + " + strings.Repeat("x", 18) + "\n          + xxEND"},
		{"escapes", 0, "+rm \x1b[2K\rls\u202e\n", "  line 1\n        1 + rm ^[[2K^Mls<U+202E>"},
		{"white space", 0, "-\tx y\n+    x y\n", "  line 1\n    1     - →    x·y\n        1 + ····x·y"},
		{"no newline", 0, "-x\n+x\n\\ No newline at end of file\n", "  line 1\n    1     - x\n        1 + x\n             No newline at end of file"},
		{"wide", 20, "+日本日本日本\n", "  line 1\n        1 + 日本日本日\n          + 本"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := testScreen(c.width)
			if have := strings.Join(s.changeLines(hunk(c.text)), "\n"); have != c.want {
				t.Errorf("have\n%s\nwant\n%s", have, c.want)
			}
		})
	}
}

func TestUnified(t *testing.T) {
	s, _ := testScreen(0)
	have := strings.Join(s.unified("--- x\n+++ x\n@@ -3,2 +3,3 @@\n c\n-d\n+D\n+E\n"), "\n")
	want := "  @@ -3,2 +3,3 @@\n    3   3   c\n    4     - d\n        4 + D\n        5 + E"
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}
