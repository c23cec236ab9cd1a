package search

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

func TestGrepContent(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.txt":     "one\ntwo foo\nthree\nfour foo\n",
		"b/c.go":    "package c\r\nvar foo = 1\r\n",
		".hid/x":    "foo in a hidden folder\n",
		".git/x":    "foo in git\n",
		"ünïcode.x": "no hit\n",
	})
	w.want(w.grep(args{"pattern": "foo"}), ".hid/x:1:foo in a hidden folder\na.txt:2:two foo\na.txt:4:four foo\nb/c.go:2:var foo = 1\n[4 matching lines in 3 files]")
	w.want(w.grep(args{"pattern": "foo", "output": "files"}), ".hid/x\na.txt\nb/c.go\n[3 files]")
	w.want(w.grep(args{"pattern": "foo", "output": "count"}), ".hid/x:1\na.txt:2\nb/c.go:1\n[3 files, 4 matching lines]")
	w.want(w.grep(args{"pattern": "FOO", "ignore_case": true, "path": "b"}), "b/c.go:2:var foo = 1")
	w.want(w.grep(args{"pattern": "foo = 1$", "path": "b"}), "b/c.go:2:var foo = 1")
	w.want(w.grep(args{"pattern": "^$", "path": "a.txt"}), "no matches in a.txt")
	w.want(w.grep(args{"pattern": "zzz"}), "no matches in the workspace (4 files searched)")
}

func TestGrepContext(t *testing.T) {
	var text strings.Builder
	for i := 1; i <= 20; i++ {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	w := newWorld(t, map[string]string{"a": text.String(), "b": "x\nline 4\ny"})
	w.want(w.grep(args{"pattern": "line (4|6|12)$", "context": 1}), `a-3-line 3
a:4:line 4
a-5-line 5
a:6:line 6
a-7-line 7
--
a-11-line 11
a:12:line 12
a-13-line 13
--
b-1-x
b:2:line 4
b-3-y
[4 matching lines in 2 files]`)
	w.want(w.grep(args{"pattern": "line (1|20)$", "context": 2}), `a:1:line 1
a-2-line 2
a-3-line 3
--
a-18-line 18
a-19-line 19
a:20:line 20
[2 matching lines]`)
}

func TestGrepPages(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%02d", i)] = strings.Repeat("hit\nmiss\n", 10)
	}
	w := newWorld(t, files)
	seen := map[string]bool{}
	next, pages := 1, 0
	for next > 0 {
		r := w.call("grep_search", args{"pattern": "hit", "limit": 37, "offset": next})
		for line := range strings.Lines(r.Text) {
			if strings.HasSuffix(line, ":hit\n") {
				if seen[line] {
					t.Fatalf("%q came twice", line)
				}
				seen[line] = true
			}
		}
		next = r.Data.(*GrepData).Next
		if (next > 0) != (r.Status == tools.Partial) {
			t.Errorf("status %s with next %d", r.Status, next)
		}
		if pages++; pages > 20 {
			t.Fatal("endless pages")
		}
	}
	if len(seen) != 300 || pages != 9 {
		t.Errorf("%d lines on %d pages, want 300 on 9", len(seen), pages)
	}
	w.wantIn(w.grep(args{"pattern": "hit", "offset": 301}), "only 300 matching lines")
}

// The page is cut by bytes at a line, and the next offset is right.
func TestGrepPageIsBounded(t *testing.T) {
	w := newWorld(t, map[string]string{"a": strings.Repeat("x"+strings.Repeat("y", 550)+"\n", 1000)})
	r := w.call("grep_search", args{"pattern": "x", "limit": 1000})
	if len(r.Text) > tools.DefaultCap || r.Stats.Truncated {
		t.Errorf("%d bytes, truncated %v", len(r.Text), r.Stats.Truncated)
	}
	d := r.Data.(*GrepData)
	if d.Shown < 50 || d.Next != d.Shown+1 {
		t.Errorf("shown %d, next %d", d.Shown, d.Next)
	}
}

func TestGrepPatternIsNoOption(t *testing.T) { // S01
	w := newWorld(t, map[string]string{"a": "x->y\n-world\n--pre=./evil.sh\n-f/etc/passwd\n"})
	for _, p := range []string{"->", "-world", "--pre=./evil.sh", "-f/etc/passwd"} {
		w.wantIn(w.grep(args{"pattern": p}), p)
	}
}

func TestGrepInclude(t *testing.T) { // S02, S04
	w := newWorld(t, map[string]string{"a.ts": "hit", "b.tsx": "hit", "c.go": "hit", "src/d.ts": "hit", "vendor/e.ts": "hit"})
	for include, want := range map[string]string{
		"*.{ts,tsx}":             "a.ts b.tsx src/d.ts vendor/e.ts",
		"*.ts, *.go":             "a.ts c.go src/d.ts vendor/e.ts",
		"src/**":                 "src/d.ts",
		"src/":                   "src/d.ts",
		"**/*.tsx":               "b.tsx",
		"!*.ts":                  "b.tsx c.go",
		"./src/*.ts":             "src/d.ts",
		"[ab].*":                 "a.ts b.tsx",
		"{src,vendor}/*.{ts,go}": "src/d.ts vendor/e.ts",
	} {
		got := w.grep(args{"pattern": "hit", "include": include, "output": "files"})
		if i := strings.Index(got, "["); i >= 0 {
			got = got[:i]
		}
		if strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("include %s: got %q, want %q", include, got, want)
		}
	}
	w.want(w.grep(args{"pattern": "hit", "exclude": "vendor,*.go", "output": "files"}), "a.ts\nb.tsx\nsrc/d.ts\n[3 files]")
	w.want(w.grep(args{"pattern": "hit", "path": "src", "include": "src/*.ts"}), "src/d.ts:1:hit")
	w.wantIn(w.grep(args{"pattern": "hit", "include": "*.{ts"}), "not a valid glob")
	w.wantIn(w.grep(args{"pattern": "hit", "include": "*.rs"}), "nothing was searched")
	w.wantIn(w.grep(args{"pattern": "hit", "path": "a.ts", "include": "*.go"}), "no file there passes")
	w.want(w.grep(args{"pattern": "hit", "path": "a.ts"}), "a.ts:1:hit")
	w.want(w.grep(args{"pattern": "nohit", "path": "a.ts"}), "no matches in a.ts")
}

func TestGrepLongLines(t *testing.T) { // S05, S09
	w := newWorld(t, map[string]string{
		"a": strings.Repeat("a", 70000) + "\nTARGET\n",
		"b": strings.Repeat("é", 40000) + "NEEDLE" + strings.Repeat("é", 40000),
	})
	w.want(w.grep(args{"pattern": "TARGET"}), "a:2:TARGET")
	got := w.grep(args{"pattern": "NEEDLE"})
	w.wantIn(got, "b:1:…é", "éNEEDLEé", "é…")
	if len(got) > 1000 {
		t.Errorf("%d bytes for one line", len(got))
	}
}

func TestGrepBinary(t *testing.T) { // S07
	w := newWorld(t, map[string]string{
		"early.bin": "token\x00token",
		"late.bin":  "token " + strings.Repeat("a", 9000) + "\x00\x00token\n",
		"later.bin": strings.Repeat("a\n", 9000) + "\x00\x00 token\n",
		"bad.txt":   "caf\xe9 token\n",
		"utf16.txt": "\xff\xfet\x00o\x00k\x00e\x00n\x00\n\x00",
		"bom.txt":   "\xef\xbb\xbftoken\n",
	})
	got := w.grep(args{"pattern": "token"})
	w.want(got, `bad.txt:1:caf`+"\uFFFD"+` token
bom.txt:1:token
utf16.txt:1:token
[3 matching lines in 3 files]
[binary, with matches that are not shown: late.bin, later.bin]
[1 binary file not searched]`)
	if strings.Contains(got, "\x00") {
		t.Error("a NUL reaches the model")
	}
	w.want(w.grep(args{"pattern": "^token$", "path": "bom.txt"}), "bom.txt:1:token")
}

func TestGrepBadPattern(t *testing.T) { // S13
	w := newWorld(t, map[string]string{"a": "x\n"})
	for pattern, want := range map[string]string{
		`foo(?!bar)`:      "negative lookahead",
		`(?=a)b`:          "a lookahead",
		`(?<=a)b`:         "a lookbehind",
		`(?<!a)b`:         "negative lookbehind",
		`(?>a)`:           "atomic group",
		`(a)\1`:           "a backreference (\\1)",
		`(?P<n>a)(?P=n)`:  "named backreference",
		`(`:               "( that is not closed",
		`a)`:              ") that was not opened",
		`[a`:              "[ that is not closed",
		`a{99999}`:        "{99999}",
		`(a{1000}){1000}`: "repeat",
		`*a`:              "nothing before it",
		`a**`:             "double repetitions",
		`a++`:             "double repetitions",
		`\Q\R`:            "",
		`a\hb`:            `escape \h`,
		`a\`:              "ends with a backslash",
		"a\nb":            "line end",
		`a\nb`:            "line end",
	} {
		r := w.call("grep_search", args{"pattern": pattern})
		if want == "" {
			continue
		}
		if r.Status != tools.Failed || r.Error.Code != tools.CodeInvalidArguments || !strings.Contains(r.Text, want) {
			t.Errorf("pattern %s: %s %q, want an error with %q", pattern, r.Status, r.Text, want)
		}
	}
}

func TestGrepDialect(t *testing.T) { // S14
	w := newWorld(t, map[string]string{"a": "foo\nbar\nfoo(\n"})
	w.wantIn(w.grep(args{"pattern": `foo\|bar`}), "no matches", "alternatives are written a|b")
	w.want(w.grep(args{"pattern": `foo\(`}), "a:3:foo(")
	w.want(w.grep(args{"pattern": `foo(`, "literal": true}), "a:3:foo(")
	w.want(w.grep(args{"pattern": `foo|bar`}), "a:1:foo\na:2:bar\na:3:foo(\n[3 matching lines]")
}

func TestGrepPaths(t *testing.T) { // P01 to P03
	w := newWorld(t, map[string]string{"in/a": "hit", "b": "hit"})
	outside := filepath.Join(filepath.Dir(w.dir), "ws-secret")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "x"), []byte("hit"), 0o644); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"out": outside, "loop": ".", "in/up": "..", "outfile": filepath.Join(outside, "x"), "link": "b"} {
		if err := os.Symlink(to, filepath.Join(w.dir, filepath.FromSlash(from))); err != nil {
			t.Fatal(err)
		}
	}
	w.want(w.grep(args{"pattern": "hit"}), "b:1:hit\nin/a:1:hit\n[2 matching lines in 2 files]")
	w.want(w.grep(args{"pattern": "hit", "path": "link"}), "b:1:hit")
	w.want(w.glob("**/*"), "b\nin/a\nlink")
	for _, path := range []string{"..", "../ws-secret", outside, "out", "in/../../ws-secret/x", "outfile"} {
		r := w.call("grep_search", args{"pattern": "hit", "path": path})
		if r.Error == nil || r.Error.Code != tools.CodeOutside {
			t.Errorf("path %s: %q, want a refusal", path, r.Text)
		}
		r = w.call("glob_search", args{"pattern": path + "/*"})
		if r.Error == nil || r.Error.Code != tools.CodeOutside {
			if path != "in/../../ws-secret/x" && path != "outfile" {
				t.Errorf("glob %s/*: %q, want a refusal", path, r.Text)
			}
		}
	}
	r := w.call("grep_search", args{"pattern": "hit", "path": "not-there"})
	if r.Error == nil || r.Error.Code != tools.CodeNotFound {
		t.Errorf("a missing path: %q", r.Text)
	}
}

func TestGrepSeesBuffers(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "old text\n", "b.txt": "old text\n"})
	uri := editstate.PathToURI(filepath.Join(w.dir, "a.txt"))
	if err := w.host.SetBuffer(editstate.Buffer{URI: uri, Version: 1, Text: "x\nunsaved text\n"}); err != nil {
		t.Fatal(err)
	}
	w.want(w.grep(args{"pattern": "text"}), "a.txt:2:unsaved text\nb.txt:1:old text\n[2 matching lines in 2 files]")
	w.want(w.grep(args{"pattern": "text", "path": "a.txt"}), "a.txt:2:unsaved text")
}

// A large file comes in pieces; line numbers go on.
func TestGrepLargeFile(t *testing.T) {
	line := strings.Repeat("z", 99) + "\n"
	w := newWorld(t, map[string]string{"big": strings.Repeat(line, 100_000) + "needle\n" + strings.Repeat(line, 50_000) + "needle"})
	w.want(w.grep(args{"pattern": "needle"}), "big:100001:needle\nbig:150002:needle\n[2 matching lines]")
}
