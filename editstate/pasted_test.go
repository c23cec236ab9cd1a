package editstate

import "testing"

// TestE43 tells pasted line numbers from numbers that are meant.
func TestE43(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	for _, c := range []struct {
		name      string
		at        int
		old, repl string
		want      bool
	}{
		{"one line", 4, "two", "2\tzwei", true},
		{"padded", 4, "two", "     2\tzwei", true},
		{"an arrow", 4, "two\n", "2→zwei\n", true},
		{"several lines", 0, "one\ntwo\n", "1\teins\n2\ttwo\n3\tmore\n", true},
		{"a blank line", 4, "two", "2\tzwei\n3\t", true},
		{"only the numbers", 0, "one\ntwo\n", "1\tone\n2\ttwo\n", false},
		{"other numbers", 4, "two", "7\tzwei", false},
		{"not all lines", 4, "two", "2\tzwei\nmore", false},
		{"not at the start of a line", 5, "wo", "2\tx", false},
		{"numbers before", 4, "2\ttwo", "2\tzwei", false},
		{"nothing", 4, "two", "", false},
		{"no tab", 4, "two", "2 zwei", false},
	} {
		if have := pastedNumbers(text, c.at, c.old, c.repl); have != c.want {
			t.Errorf("%s: %v", c.name, have)
		}
	}
}

// TestE05 puts no second byte order mark into a file, and none into one that
// has none.
func TestE05(t *testing.T) {
	for before, after := range map[string]string{
		"\xEF\xBB\xBFa\n":             "\xEF\xBB\xBFb\n",
		"a\n":                         "b\n",
		"\xFF\xFEa\x00\n\x00":         "\xFF\xFEb\x00\n\x00",
		"\xEF\xBB\xBF\xEF\xBB\xBFa\n": "\xEF\xBB\xBF\xEF\xBB\xBF\xEF\xBB\xBFb\n", // the second is text
	} {
		w := newWorld(t, map[string]string{"f": before})
		w.see("f")
		must(t, w.edit("f", "a", "\ufeffb"))
		if have := w.get("f"); have != after {
			t.Errorf("%q became %q", before, have)
		}
	}
}
