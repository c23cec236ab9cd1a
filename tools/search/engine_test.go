package search

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// slow finds the matching lines one by one with the plain regexp package: what
// the engine must give, faster.
func slow(re *regexp.Regexp, text []byte) []string {
	var out []string
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		if l := bytes.TrimSuffix(line, []byte{'\r'}); re.Match(l) {
			out = append(out, string(l))
		}
		text = rest
	}
	return out
}

func fast(s *scanner, text []byte) []string {
	var out []string
	s.begin(text)
	for {
		from, to, ok := s.next()
		if !ok {
			return out
		}
		out = append(out, string(text[from:to]))
	}
}

// mismatch compares the engine with the plain way; "" if they agree.
func mismatch(expr string, fold bool, text []byte) string {
	p, err := compile(expr, false, fold)
	if err != nil || p.cr {
		return ""
	}
	if fold {
		expr = "(?i)" + expr
	}
	re := regexp.MustCompile(expr)
	want := slow(re, text)
	s := &scanner{p: p}
	got := fast(s, text)
	if !slices.Equal(got, want) {
		return fmt.Sprintf("%s: got %q, want %q", expr, got, want)
	}
	if p.find != nil { // the automaton must agree too
		q := *p
		q.find = nil
		if got := fast(&scanner{p: &q}, text); !slices.Equal(got, want) {
			return fmt.Sprintf("%s by automaton: got %q, want %q", expr, got, want)
		}
	}
	return ""
}

var engineTexts = []string{
	"", "\n", "foo\n", "foo", "a\nfoo bar\n\nBAR foo\r\nbaz\r\n", "x\r\n\r\n\n", "aaa\nabab\nkelvin \u212a\nlong \u017f\nkK\nsS\n",
	"é\nfoé\n\xff\xfe foo\n日本 foo\n", strings.Repeat("lorem ipsum\n", 50) + "needle in\n" + strings.Repeat("dolor\n", 50) + "the needle", "foo\rbar\n", "foo \n bar\n\tbaz",
	"func main() {\n\treturn err\n}\nif err != nil {\n", "12:34\n2024-01-02\nword_word\n", "\r\n", "a\r",
}

var enginePatterns = []string{
	"foo", "fo+", "^foo", "foo$", "^foo$", "^$", "^", "$", "x*", ".", ".*", ".+", "^.", ".$", "a|b", "foo|bar|baz", "fo(o|é)", "(?:foo|far)b?", "[a-c]+", "[^a-z]", `\bfoo\b`, `\Bo`,
	`\w+\s+\w+`, `\d{2}:\d{2}`, "needle", "(needle|dolor)$", "^(a|b)*$", "k", "s", "ks|sk", "kelvin.", "é", "日.", "[é-ü]", `\x{212a}`, "(?i)bar", "a(?i)B", "(?s).", "(?m)^bar$", `\Afoo\z`, "o{2}", "(ab){2}",
	"[[:alpha:]]+$", `\s$`, `^\s*$`, "b?$", "foo.bar", "(foo)?bar", "^(?:)$", "a.{0,3}b", "return|err", `!= nil`, `[^\r]$`, "o[^x]*r", "$^", "(^|x)foo", "foo($|y)", `\pL+`, "[\\x00-\\x7f]+$",
}

func TestEngine(t *testing.T) {
	for _, p := range enginePatterns {
		for _, text := range engineTexts {
			for _, fold := range []bool{false, true} {
				if m := mismatch(p, fold, []byte(text)); m != "" {
					t.Errorf("%q: %s", text, m)
				}
			}
		}
	}
}

// With many states the automaton forgets and goes on.
func TestAutomatonForgets(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "%d %x %o\n", i*7919, i*104729, i)
	}
	for _, expr := range []string{"[0-9a-f]*[13579][0-9a-f]{9}", "(a|b|c|1|2|3).{12}[02468]$"} {
		if m := mismatch(expr, false, []byte(text.String())); m != "" {
			t.Error(m)
		}
	}
}

func FuzzEngine(f *testing.F) {
	for i, p := range enginePatterns {
		f.Add(p, []byte(engineTexts[i%len(engineTexts)]), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, expr string, text []byte, fold bool) {
		if len(expr) > 200 || len(text) > 2000 {
			return
		}
		if m := mismatch(expr, fold, text); m != "" {
			t.Errorf("%q: %s", text, m)
		}
	})
}

func TestRequiredLiterals(t *testing.T) {
	for expr, want := range map[string]string{
		"foobar": "foobar", "foo.*barbaz": "barbaz", "(foo|far)x": "foox farx", "a*needle+b": "needl", "[ab]cde": "acde bcde", "x?": "", "foo|b": "foo b", `func\s+(\w+)`: "func",
		"(one|two|three) more": "one more two more three more", `\bfoo\b`: "foo", "(?i)Needle": "Needle", "é+foo": "foo",
	} {
		p, err := compile(expr, false, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if p.find != nil {
			for _, l := range p.find.lits {
				got = append(got, string(l))
			}
		}
		if !strings.EqualFold(strings.Join(got, " "), want) {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

func TestWindow(t *testing.T) {
	line := []byte(strings.Repeat("é", 1000) + "HIT" + strings.Repeat("日", 1000))
	for at := 0; at < len(line)-3; at += 37 {
		got := window(line, []int{at, at + 3}, maxLine)
		if len(got) > maxLine+20 || strings.ContainsRune(got, '\uFFFD') {
			t.Fatalf("at %d: %d bytes: %s", at, len(got), got)
		}
	}
	if got := window(line, []int{2000, 2003}, maxLine); !strings.Contains(got, "HIT") {
		t.Errorf("the match is not shown: %s", got)
	}
}
