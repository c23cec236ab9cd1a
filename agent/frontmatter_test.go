package agent

import (
	"strings"
	"testing"
)

func TestFrontMatter(t *testing.T) {
	for _, tc := range []struct{ text, name, want, body string }{
		{"no front matter", "x", "", "no front matter"},
		{"---\ndescription: plain\n---\nbody\n", "description", "plain", "body\n"},
		{"\ufeff---\r\ndescription: crlf\r\n---\r\nbody\r\n", "description", "crlf", "body\n"},
		{"---\nDescription: >\n  two\n  lines\n---\n\nbody", "description", "two lines", "\nbody"},
		{"---\ndescription: |\n  two\n  lines\n---\nbody", "description", "two\nlines", "body"},
		{"---\ntools:\n  - read_file\n  - \"mcp__x__*\"\n---\nbody", "tools", "read_file, mcp__x__*", "body"},
		{"---\ntools: [a, b]\n---\n", "tools", "a, b", ""},
		{"---\ndescription: \"quoted: yes\"\n---\nbody", "description", "quoted: yes", "body"},
		{"---\ndescription: Use when: somebody asks\n---\nbody", "description", "Use when: somebody asks", "body"},
		{"---\nversion: 1.5\nmetadata: {a: b}\n---\nbody", "version", "1.5", "body"},
		{"---\n---\nbody", "x", "", "body"},
		{"---\nnever: ended\n", "never", "", "---\nnever: ended\n"},
		{"---\na: b\n---\nbody\n---\nmore", "a", "b", "body\n---\nmore"},
	} {
		meta, body := frontMatter(tc.text)
		if meta[tc.name] != tc.want || body != tc.body {
			t.Errorf("%q: %q, body %q", tc.text, meta[tc.name], body)
		}
	}
	// A file that would grow without bound is read line by line, and ends.
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ",") + "]\n"
	}
	if meta, _ := frontMatter("---\n" + bomb + "---\nbody"); len(meta["j"]) > mostFrontMatter {
		t.Errorf("%d bytes", len(meta["j"]))
	}
}

func FuzzFrontMatter(f *testing.F) {
	f.Add("---\na: b\n---\nbody")
	f.Add("---\na: [b, {c: d}]\n---")
	f.Fuzz(func(t *testing.T, text string) {
		if _, body := frontMatter(text); len(body) > len(text) {
			t.Error("the body has grown")
		}
	})
}
