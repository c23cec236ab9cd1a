package editstate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func parseSet(t *testing.T, s string) lineSet {
	t.Helper()
	var out lineSet
	for _, part := range strings.Split(s, ",") {
		var x span
		if _, err := fmt.Sscanf(part, "%d-%d", &x.lo, &x.hi); err != nil {
			t.Fatal(err)
		}
		out.add(x)
	}
	return out
}

// randomText makes a text of few different lines, so that diffs are tricky,
// with all kinds of endings.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(30) {
		b.WriteString([]string{"a", "b", "c", "", "ab", "long line", "e\u0301", "tab\t", "caf\xE9", "x\ry"}[r.IntN(10)])
		b.WriteString([]string{"\n", "\n", "\r\n", "\r\n", "\n\n"}[r.IntN(5)])
	}
	if r.IntN(3) == 0 {
		b.WriteString("unfinished")
	}
	return b.String()
}

// mutate changes some lines of a text.
func mutate(r *rand.Rand, text string) string {
	lines := fullLines(text)
	var out []string
	for _, l := range lines {
		switch r.IntN(8) {
		case 0:
		case 1:
			out = append(out, "new\n", l)
		case 2:
			out = append(out, strings.ToUpper(l))
		default:
			out = append(out, l)
		}
	}
	return strings.Join(out, "")
}

// TestHunkSubsets: all hunks make the proposal, none the original, and any
// subset what an independent patch makes.
func TestHunkSubsets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		before := randomText(r)
		after := mutate(r, before)
		if r.IntN(4) == 0 {
			after = randomText(r)
		}
		hunks := hunksOf(before, after)
		if have := applyHunks(before, after, hunks, func(string) bool { return true }); have != after {
			t.Fatalf("all hunks of %q to %q make %q", before, after, have)
		}
		if have := applyHunks(before, after, hunks, func(string) bool { return false }); have != before {
			t.Fatalf("no hunks of %q to %q make %q", before, after, have)
		}
		pick := map[string]bool{}
		for _, h := range hunks {
			pick[h.ID] = r.IntN(2) == 0
		}
		have := applyHunks(before, after, hunks, func(id string) bool { return pick[id] })
		if want := patch(before, after, hunks, pick); have != want {
			t.Fatalf("a subset of %q to %q makes %q, want %q", before, after, have, want)
		}
	}
}

// patch applies hunks from the last to the first, by the texts in them.
func patch(before, after string, hunks []Hunk, pick map[string]bool) string {
	lines := fullLines(before)
	news := fullLines(after)
	for i := len(hunks) - 1; i >= 0; i-- {
		h := hunks[i]
		if !pick[h.ID] {
			continue
		}
		tail := append([]string{}, lines[h.OldStart-1+h.OldLines:]...)
		lines = append(append(lines[:h.OldStart-1:h.OldStart-1], news[h.NewStart-1:h.NewStart-1+h.NewLines]...), tail...)
	}
	return strings.Join(lines, "")
}

// TestReconcile: a text that an editor gives back with one kind of ending and
// without invalid bytes is the original again, and changes stay changes.
func TestReconcile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		before := randomText(r)
		eol := []string{"\n", "\r\n"}[r.IntN(2)]
		shownText := strings.NewReplacer("\r\n", eol, "\r", eol, "\n", eol).Replace(shown(before))
		if have := reconcile(before, shownText, true, "\n"); have != before {
			t.Fatalf("%q comes back as %q", before, have)
		}
		changed := mutate(r, shownText)
		have := reconcile(before, changed, true, dominantEOL(before))
		unify := strings.NewReplacer("\r\n", "\n", "\r", "\n")
		if unify.Replace(shown(have)) != unify.Replace(changed) {
			t.Fatalf("%q changed to %q is written as %q", before, changed, have)
		}
	}
}

// TestOnlyReplacedBytesDiffer makes one random edit in a random text: what is
// before and after the place keeps every byte.
func TestOnlyReplacedBytesDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	done := 0
	for done < 2000 {
		text := randomText(r)
		at := r.IntN(len(text) + 1)
		text = text[:at] + "<unique>" + text[at:]
		repl := []string{"X", "", "two\nlines", "two\r\nlines\r\n", "é$1\\n"}[r.IntN(5)]
		rep, err := new(Workspace).apply(t.Context(), Edit{Old: "<unique>", New: repl}, "f", text, UTF8)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(rep.text, text[:at]) || !strings.HasSuffix(rep.text, text[at+len("<unique>"):]) {
			t.Fatalf("an edit at %d of %q makes %q", at, text, rep.text)
		}
		middle := rep.text[at : len(rep.text)-(len(text)-at-len("<unique>"))]
		if strings.ReplaceAll(middle, "\r\n", "\n") != strings.ReplaceAll(repl, "\r\n", "\n") {
			t.Fatalf("%q is written as %q", repl, middle)
		}
		done++
	}
}

func FuzzHunks(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("a\r\nb", "b\r\na\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		hunks := hunksOf(before, after)
		if have := applyHunks(before, after, hunks, func(string) bool { return true }); have != after {
			t.Errorf("all hunks make %q", have)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xFF\xFEa\x00\x00\xD8"))
	f.Add([]byte("\xEF\xBB\xBF\xFF"))
	f.Add([]byte("\xFE\xFF\xD8\x00\xDC\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d := Decode(b)
		if d.Encoding == Binary {
			return
		}
		back, err := d.Encode(d.Text)
		if err != nil || string(back) != string(b) {
			t.Errorf("%q comes back as %q (%v)", b, back, err)
		}
	})
}

func FuzzEdit(f *testing.F) {
	f.Add("a\r\nb\r\n", "a\nb", "c\nd", false)
	f.Add("a\rb\n", "b", "\r\n", true)
	f.Fuzz(func(t *testing.T, text, old, repl string, all bool) {
		if !utf8.ValidString(repl) || strings.ContainsRune(repl, utf8.RuneError) {
			return // refused before; U+FFFD stands for the byte that was there
		}
		r, err := new(Workspace).apply(t.Context(), Edit{Old: old, New: repl, All: all}, "f", text, UTF8)
		if err != nil {
			return
		}
		v := viewOf(text)
		o, n := strings.ReplaceAll(old, "\r\n", "\n"), unixEndings(repl)
		if want := strings.ReplaceAll(v.text, o, n); unixEndings(r.text) != unixEndings(want) {
			t.Errorf("%q: %q to %q makes %q", text, old, repl, r.text)
		}
	})
}
