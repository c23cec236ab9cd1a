//go:build unix

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// Ways in which a command that seems to read does more. None of them is safe;
// each was taken for safe once.
var hostile = []string{
	// What is not quoted is split into words, and a wildcard becomes several.
	`x='-v x[$(touch${IFS}pwn)]'; [ $x ]`, `x='-v x[$(touch${IFS}pwn)]'; [ a = $x ]`, `for f in *; do [ -f $f ]; done`, `[ * ]`,
	`x=' --output=pwn'; git log HEAD$x`, `a=(x --output=pwn); git log HEAD"${a[@]}"`, `x='a --output=pwn'; git log -S $x`, `git show "HEAD:$x"`,
	`x=' -s 2020-01-01'; date +%F$x`, `x='1 -o pwn'; sort -k $x a.txt`, `n='1 rm -rf'; ls | xargs -n $n echo`, `x='-r -e root /etc'; grep $x f`,
	`x=-r; grep "$x" ''`, `uniq a* sub`, `uniq *.txt`, `xxd *.txt`, `find . -name 'a*' -exec uniq {} +`, `grep /etc/pass*`, `grep .e*`, `awk [x]*`, `sed s,a*,b, a.txt`,
	`jq [x]* a.txt`, `x='|env'; jq -n "1$x"`,
	// Brace expansion.
	`cat {".env",b,c,d,e,f,g,h,i,j}`, `cat {"/etc/passwd",b,c,d,e,f,g,h,i,j}`, `sed -e {,'w pwn'} a.txt`, `sed -e {,'1e touch pwn'} a.txt`,
	// The options of programs.
	`grep -ie root /etc/passwd`, `grep -ie '' .env`, `grep --reg=root /etc/passwd`, `grep --fil=/etc/passwd x`, `grep --rec '' .`, `grep -r '' s*`, `rg -iex /etc/passwd`,
	`wc --files0-from=/etc/passwd`, `wc --fi=/etc/passwd`, `du --files0-from=/etc/passwd`, `du -X/etc/passwd`, `strings @/etc/passwd`, `hexdump -f/etc/passwd a.txt`,
	`xxd -ps a.txt b.txt`, `xxd -ac 4 a.txt b.txt`, `tree -Lo 2 pwn`, `diff -N . src`, `diff -r src link`,
	`printf '12%n' PATH; ls`, `printf "%s$x" PATH`, `awk 1 ./x=y/../../../etc/passwd`, `awk 'BEGIN{print SYMTAB["ENV" "IRON"]["HOME"]}'`,
	`git diff --no-index .. sub`, `git diff --no-index /dev/null out/x`, `git diff --no-index src .`, `git diff /dev/null a:b/../../x`,
	`x=../../etc/passwd; git diff --no-index /dev/null "sub/$x"`, `git grep --no-index x ..`,
	`bash -c -x 'touch pwn'`, `bash +e -c 'touch pwn'`,
	// Links and names that lead elsewhere.
	`find . -type l -exec cat {} +`, `find -L . -type f -exec cat {} +`, `grep -R x .`, `rg -L x`, `cat .[[:alpha:]]nv`, `cat l[[:alpha:]]nk`, `cat "."*nv`,
	`for f in b.txt; do cd link; cat "$f"; done`,
}

func TestHostileIsNotSafe(t *testing.T) {
	w := classifyWorld(t)
	w.write(".env", "API_KEY=abc\n")
	w.write(".env.example", "x\n")
	w.write("xa", "x\n")
	w.write("s,a1,b,", "x\n")
	if err := os.Symlink("/etc", filepath.Join(w.dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, command := range hostile {
		if v := w.judge(command); v.level == safe {
			t.Errorf("%s is taken for safe", command)
		}
	}
	for _, command := range []string{`bash -c -x 'rm -rf /'`, `bash +e -c 'rm -rf /'`} {
		if v := w.judge(command); v.level != dangerous {
			t.Errorf("%s: %s", command, v.level)
		}
	}
}

// What looks like it but only reads stays safe.
func TestHarmlessStaysSafe(t *testing.T) {
	w := classifyWorld(t)
	for _, command := range []string{
		`grep foo.* a.txt`, `jq .[0] a.txt`, `[ $? -eq 0 ]`, `[ "$x" = a ]`, `for w in foo bar; do grep -rn "$w" src; done`, `printf '%s %d%%\n' "$x" 3`,
		`printf "%s $x"`, `xxd -p a.txt`, `xxd -c 8 -l 20 a.txt`, `rg -ne '/api' src`, `grep -rne '/api' src`, `cat {a,b}.txt`, `tree -L 2`, `diff a.txt b.txt`,
		`cd sub && for f in *; do cat "$f"; done`, `find . -name '*.go' -exec cat {} +`, `find . -type f -exec grep -n x {} +`, `wc -l "a.txt"`, `du -sh .`, `strings a.txt`,
	} {
		if v := w.judge(command); v.level != safe {
			t.Errorf("%s: %s", command, v.reason)
		}
	}
}

// What is known of words in advance is what bash makes of them.
func TestWordsAreThoseOfBash(t *testing.T) {
	w := classifyWorld(t)
	bits := []string{"{", "}", ",", "..", "a", "'", `"`, `\`, "$'", "=", ":", "-", "1", `"b"`, "'c'", "@", "!", "+", "{}", "{b,c}", "/", "{,", ",}", `,"d"`, "\\\n"}
	seed, checked := uint32(1), 0
	next := func(n int) int { seed = seed*1664525 + 1013904223; return int(seed>>16) % n }
	for checked < 300 {
		word := ""
		for range 1 + next(8) {
			word += bits[next(len(bits))]
		}
		f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader("echo "+word), "")
		if err != nil || len(f.Stmts) != 1 {
			continue
		}
		call, ok := f.Stmts[0].Cmd.(*syntax.CallExpr)
		if !ok || len(f.Stmts[0].Redirs) > 0 || f.Stmts[0].Background {
			continue
		}
		dir, err := w.env.Files.Resolve(".")
		if err != nil {
			t.Fatal(err)
		}
		c := newClassifier(w.env, &dir)
		want, known := "", true
		for _, a := range c.words(call.Args)[1:] {
			known = known && a.known && !a.glob && !a.tilde
			want += a.text + "\x00"
		}
		if !known || c.v.level != safe || want == "" {
			continue
		}
		checked++
		out, err := exec.Command("/bin/bash", "-c", `printf '%s\0' `+word).Output()
		if err == nil && string(out) != want {
			t.Errorf("%q: %q, bash has %q", word, want, out)
		}
	}
}
