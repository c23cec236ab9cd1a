package demo

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestFlow(t *testing.T) {
	for _, c := range []struct {
		width  int
		indent string
		pieces []string
		want   string
	}{
		{10, "", []string{"aaa bb", "b ccc dd"}, "aaa bbb\nccc dd\n"},
		{10, "  ", []string{"aaa bbb ccc"}, "  aaa bbb\n  ccc\n"},
		{0, "", []string{"aaa bbb ccc ddd eee"}, "aaa bbb ccc ddd eee\n"},
		{10, "", []string{"- a\n", "  - b\n\n", "c\n\n\n"}, "- a\n  - b\n\nc\n"},
		{10, "", []string{"\n\n", "a"}, "a\n"},
		{5, "", []string{"aaaaaaaaaa b"}, "aaaaaaaaaa\nb\n"},
		{6, "", []string{"日本 日本"}, "日本\n日本\n"},
		{10, "", nil, ""},
	} {
		var b strings.Builder
		f := flow{emit: func(s string) { b.WriteString(s) }, paint: func(s string) string { return s }, width: c.width, indent: c.indent}
		for _, p := range c.pieces {
			f.write(p)
		}
		f.end()
		if b.String() != c.want {
			t.Errorf("%d %q: %q, want %q", c.width, c.pieces, b.String(), c.want)
		}
	}
}

func TestOutput(t *testing.T) {
	show := func(pieces ...string) []string {
		var lines []string
		o := output{show: func(l string) { lines = append(lines, l) }}
		for _, p := range pieces {
			o.add(p)
		}
		o.end("...")
		return lines
	}
	if have := show("a", "b\nc\r\n10%\r20%\r", "100%\nrest"); !reflect.DeepEqual(have, []string{"ab", "c", "100%", "rest"}) {
		t.Errorf("%q", have)
	}
	var all strings.Builder
	for i := range 100 {
		fmt.Fprintln(&all, i+1)
	}
	have := show(all.String())
	if len(have) != firstLines+1+lastLines || have[firstLines] != "... 80 lines" || have[len(have)-1] != "100" {
		t.Errorf("%q", have)
	}
	if have := show(strings.Repeat("x", 1<<20)); len(have) != 1 || len(have[0]) != 64<<10 {
		t.Errorf("%d lines", len(have))
	}
}
