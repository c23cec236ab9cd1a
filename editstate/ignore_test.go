package editstate

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWildmatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"foo", "foo", true}, {"f*", "foo", true}, {"f?o", "foo", true}, {"*", "a/b", false}, {"a/*", "a/b", true}, {"a/*", "a/b/c", false},
		{"**/c", "c", true}, {"**/c", "a/b/c", true}, {"a/**", "a/b/c", true}, {"a/**", "a", false}, {"a/**/c", "a/c", true}, {"a/**/c", "a/b/b/c", true},
		{"a**c", "abc", true}, {"a**c", "ab/c", false}, {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[^a-c]x", "dx", true}, {"[]]x", "]x", true},
		{"[a", "[a", false}, {`\*`, "*", true}, {`\*`, "a", false}, {"[[:digit:]]", "5", true}, {"[[:nope:]]", "5", false}, {"a[/]b", "a/b", false},
		{"*.txt", "a.txt", true}, {"a?b", "a/b", false}, {"**", "a/b", true},
	} {
		if got := wildmatch(tt.pattern, tt.text, true); got != tt.want {
			t.Errorf("%s against %s: %v", tt.pattern, tt.text, got)
		}
	}
	// A pattern of many stars ends.
	wildmatch(strings.Repeat("*a", 60)+"b", strings.Repeat("a", 200), true)
}

// gitTree is a repository with files of all sorts of names.
func gitTree(t testing.TB) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v %s", err, out)
	}
	for _, p := range []string{"a", "b.txt", "a.log", "x y", "#c", "!d", "e ", "build/o.js", "build/sub/p.js", "src/build/q", "src/a.log", "src/b/c/d.txt",
		"src/b/c/e.log", "foo/bar", "foo/baz/bar", "deep/foo/bar", ".hidden", "src/.hid/x", "[z]", "star*", "UPPER.TXT", "é.txt"} {
		paths = append(paths, p)
		path := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, paths
}

// byGit gives the paths that git does not ignore.
func byGit(t testing.TB, dir string, paths []string) []string {
	t.Helper()
	cmd := exec.Command("git", "-C", dir, "check-ignore", "--no-index", "-z", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00"))
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("git check-ignore: %v", err)
	}
	ignored := map[string]bool{}
	for p := range bytes.SplitSeq(out, []byte{0}) {
		ignored[string(p)] = true
	}
	var kept []string
	for _, p := range paths {
		if !ignored[p] {
			kept = append(kept, p)
		}
	}
	slices.Sort(kept)
	return kept
}

// byWalk gives the paths that a walk visits, but for the ignore files.
func byWalk(t testing.TB, dir string) []string {
	t.Helper()
	var kept []string
	for _, p := range walked(t, dir, ".", WalkOptions{}) {
		if filepath.Base(p) != ".gitignore" {
			kept = append(kept, p)
		}
	}
	return kept
}

func TestIgnoreAsGitDoes(t *testing.T) {
	dir, paths := gitTree(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, top := range []string{
		"*.log", "*.log\n!src/a.log", "build/", "/build/", "/build", "src/b", "src/b/", "src/*/c", "**/c", "foo/**", "**/bar", "foo/**/bar", "foo/*",
		"*\n!*.txt", "*\n!*/\n!*.txt", "/*\n!/src", "\\#c", "\\!d", "e\\ ", "e ", "x y", "# comment\n\na\r\n", "\xef\xbb\xbfa", "[ab]*", "[!ab]*", "*.[lt]*", "star\\*",
		"src/", "!src/", "src\n!src/b", "foo/bar", "/foo/bar", "bar", "bar/", "**", "**/", "/**", "a**", ".*", "[[:upper:]]*", "é*", "?", "build/**\n!build/sub/p.js", "\\[z]", "[z]",
		"src/**/*.log", "*/b/*/d.txt", "/", "//", "a/", "b.txt/",
	} {
		for _, nested := range []string{"", "!a.log\n", "/b\n", "*\n!.gitignore\n"} {
			write(".gitignore", top)
			write("src/.gitignore", nested)
			if got, want := byWalk(t, dir), byGit(t, dir, paths); !slices.Equal(got, want) {
				t.Errorf("rules %q, in src %q:\ngot  %q\nwant %q", top, nested, got, want)
			}
		}
	}
	write(".gitignore", "")
	write("src/.gitignore", "")
	write(".git/info/exclude", "*.txt\n")
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".gitconfig"), []byte("[core]\n\texcludesFile = ~/my-ignore\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), "my-ignore"), []byte("build\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := byWalk(t, dir), byGit(t, dir, paths); !slices.Equal(got, want) || slices.Contains(got, "b.txt") || slices.Contains(got, "build/o.js") {
		t.Errorf("exclude files:\ngot  %q\nwant %q", got, want)
	}
}

func FuzzIgnoreAsGitDoes(f *testing.F) {
	for _, s := range []string{"*.log\n!src/a.log", "foo/**/bar", "[!a-c]*", "/src/b/", "**/c\\", "a[]x", "[[:alpha:]]", "!*\n*", "e\\ \n", "**/**/x", "src/b*/"} {
		f.Add(s)
	}
	dir, paths := gitTree(f)
	f.Fuzz(func(t *testing.T, rules string) {
		if strings.ContainsRune(rules, 0) {
			return
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(rules), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, want := byWalk(t, dir), byGit(t, dir, paths); !slices.Equal(got, want) {
			t.Errorf("rules %q:\ngot  %q\nwant %q", rules, got, want)
		}
	})
}
