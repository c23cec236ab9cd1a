//go:build unix

package shell

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentd-dev/agentd/tools"
)

func TestOutputIsClean(t *testing.T) { // X10, X11
	w := newWorld(t)
	for command, want := range map[string]string{
		`printf '\377\376\200ok'`:                                  "\uFFFD\uFFFD\uFFFDok\n",
		`printf '\033[31mred\033[0m\r10%%\r20%%\rdone\033[?25h\n'`: "done\n",
		`printf 'a\0b\n'`:                                          "a\uFFFDb\n",
		`printf 'x\by\n'`:                                          "y\n",
		`printf 'one\r\ntwo\r\n'`:                                  "one\ntwo\n",
		`printf '\033]0;title\007text\n'`:                          "text\n",
		`printf '\033]8;;http://x\033\\link\033]8;;\033\\\n'`:      "link\n",
		`printf '\033(Bplain\n'`:                                   "plain\n",
		`printf 'bell\007\n'`:                                      "bell\n",
		`printf '日本語\n'`:                                           "日本語\n",
		`printf '\346\227'; printf '\245\n'`:                       "日\n",
		`printf '\033[31'`:                                         "(no output)\n",
	} {
		r, _ := w.run(command)
		if body(r) != want {
			t.Errorf("%s: got %q, want %q", command, body(r), want)
		}
	}
}

// Text in any pieces gives the same.
func TestStripInPieces(t *testing.T) {
	text := []byte("a\x1b[1;31mb\x1b[0mé日\xff\x00\x1b]0;t\x07c\r\nd\x1b(Be\x1bM\xe6\x97\x1b[K\x1b\\f")
	whole := func(size int) string {
		var s stripper
		var out []byte
		for i := 0; i < len(text); i += size {
			out = s.strip(out, text[i:min(i+size, len(text))])
		}
		return string(s.end(out))
	}
	want := whole(len(text))
	if want != "abé日\uFFFD\uFFFDc\r\nde\uFFFD\uFFFDf" {
		t.Errorf("got %q", want)
	}
	for size := 1; size < len(text); size++ {
		if got := whole(size); got != want {
			t.Errorf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add([]byte("a\x1b[31mb\x1b]x\x07\r\xff日\b"), 3)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if size < 1 {
			size = 1
		}
		var whole, parts stripper
		var rd redraw
		want := whole.end(whole.strip(nil, b))
		var got []byte
		for i := 0; i < len(b); i += size {
			got = parts.strip(got, b[i:min(i+size, len(b))])
		}
		got = parts.end(got)
		if string(got) != string(want) {
			t.Errorf("%q in pieces of %d: %q, want %q", b, size, got, want)
		}
		text := rd.end(rd.text(nil, want))
		if !utf8.Valid(text) || strings.ContainsAny(string(text), "\x00\x1b") {
			t.Errorf("%q gives %q", b, text)
		}
	})
}

func TestLongOutput(t *testing.T) {
	w := newWorld(t)
	r, d := w.run("seq 1 200000")
	if len(r.Text) > runCap || !d.Truncated || d.Spool == "" || r.Stats.Truncated {
		t.Fatalf("%d bytes, %+v", len(r.Text), d)
	}
	w.has(r.Text, "1\n2\n3\n", "\n199999\n200000\n", "which read_file can page", d.Spool, "[exit code 0")
	b, err := os.ReadFile(d.Spool)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := 1; i <= 200000; i++ {
		fmt.Fprintln(&want, i)
	}
	if string(b) != want.String() {
		t.Errorf("the file holds %d bytes, want %d", len(b), want.Len())
	}
	if n := len(w.live.String()); n > liveBytes+200 || n < liveBytes {
		t.Errorf("%d bytes of live output", n)
	}
	// What just fits is shown whole.
	r, d = w.run(fmt.Sprintf("head -c %d /dev/zero | tr '\\0' x", textRoom))
	if d.Truncated || d.Spool != "" || strings.Count(r.Text, "x") < textRoom {
		t.Errorf("%+v", d)
	}
}

func TestOutputIsBounded(t *testing.T) { // X08
	w := newWorld(t)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, d := w.run("head -c 300000000 /dev/zero; echo; echo the end")
	runtime.ReadMemStats(&after)
	if d.Bytes != 300000009 || len(r.Text) > runCap {
		t.Errorf("%d bytes written, %d shown", d.Bytes, len(r.Text))
	}
	w.has(r.Text, "the end\n", "the first 32 MiB are in")
	if strings.Contains(r.Text, "\x00") || !utf8.ValidString(r.Text) {
		t.Error("the text is not clean")
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 20<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
	r = w.call(t.Context(), args{"command": "yes", "timeout_ms": 500})
	if r.Error == nil || r.Error.Code != tools.CodeTimeout || len(r.Text) > runCap {
		t.Errorf("yes: %d bytes, %+v", len(r.Text), r.Error)
	}
	w.has(r.Text, "y\ny\ny\n")
}

// A long line is cut between words, so that no secret is cut in two.
func TestEndsCutBetweenWords(t *testing.T) {
	o := newOutput(func(string) {}, nil)
	word := "sk-" + strings.Repeat("A", 40)
	if _, err := o.Write([]byte(strings.Repeat(word+" ", 1000))); err != nil {
		t.Fatal(err)
	}
	for f := range strings.FieldsSeq(o.finish().text) {
		if strings.Contains(f, "AA") && f != word {
			t.Errorf("a word is cut: %s", f)
		}
	}
}

func BenchmarkOutput2MB(b *testing.B) {
	line := []byte(strings.Repeat("some ordinary output of a build, 64 bytes in all, more or less\n", 1000))
	spool := tools.NewSpool(b.TempDir(), tools.NewRedactor())
	b.SetBytes(int64(len(line) * 33))
	for b.Loop() {
		o := newOutput(func(string) {}, spool)
		for range 33 {
			_, _ = o.Write(line)
		}
		o.finish()
	}
}
