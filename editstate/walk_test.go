package editstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// walked gives the paths that a walk from start visits, sorted.
func walked(t testing.TB, dir, start string, opt WalkOptions) []string {
	t.Helper()
	host := NewHost("")
	defer host.Close()
	w, err := host.Open(Config{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	loc, err := w.Resolve(start)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var got []string
	_, err = w.Walk(t.Context(), loc, opt, func() func(*WalkFile) {
		return func(f *WalkFile) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, f.Display())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	return got
}

func makeTree(t testing.TB, files ...string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWalkVisitsEachOnce(t *testing.T) {
	var files []string
	for i := range 400 {
		files = append(files, fmt.Sprintf("many/f%03d", i), fmt.Sprintf("d%d/e%d/g", i%20, i))
	}
	dir := makeTree(t, files...)
	for from, to := range map[string]string{"loop": ".", "d1/up": "..", "d2/to": "../d1", "abs": dir, "gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(from))); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(files)
	if got := walked(t, dir, ".", WalkOptions{Links: true}); !slices.Equal(got, files) {
		t.Errorf("%d files, want %d", len(got), len(files))
	}
}

// The rules above the start hold: of the repository, also above the root.
func TestWalkInAPartOfARepository(t *testing.T) {
	dir := makeTree(t, ".git/HEAD", "pkg/a.js", "pkg/a.log", "pkg/dist/b.js", "pkg/sub/c.log", "pkg/sub/keep.log", "pkg/sub/d.js")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".gitignore", "*.log\ndist/\n")
	write("pkg/.gitignore", "!sub/keep.log\n")
	root := filepath.Join(dir, "pkg")
	for start, want := range map[string]string{
		".":         ".gitignore a.js sub/d.js sub/keep.log",
		"sub":       "sub/d.js sub/keep.log",
		"dist":      "dist/b.js", // named
		"a.log":     "a.log",
		"sub/c.log": "sub/c.log",
	} {
		if got := strings.Join(walked(t, root, start, WalkOptions{}), " "); got != want {
			t.Errorf("from %s: %s, want %s", start, got, want)
		}
	}
	write(".gitignore", "pkg/dist/**\n")
	if got := strings.Join(walked(t, root, "dist", WalkOptions{}), " "); got != "dist/b.js" {
		t.Errorf("from dist: %s", got)
	}
}

// A repository inside another one has rules of its own only.
func TestWalkIntoInnerRepository(t *testing.T) {
	dir := makeTree(t, ".git/HEAD", "a.log", "inner/.git/HEAD", "inner/b.log", "inner/c.tmp")
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.log\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "inner/.gitignore"), []byte("*.tmp\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(walked(t, dir, ".", WalkOptions{}), " "); got != ".gitignore inner/.gitignore inner/b.log" {
		t.Errorf("got %s", got)
	}
}

func TestWalkEndsWhenCancelled(t *testing.T) {
	var files []string
	for i := range 500 {
		files = append(files, fmt.Sprintf("d%d/f", i))
	}
	dir := makeTree(t, files...)
	host := NewHost("")
	defer host.Close()
	w, err := host.Open(Config{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	loc, err := w.Resolve(".")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	n := 0
	_, err = w.Walk(ctx, loc, WalkOptions{}, func() func(*WalkFile) {
		return func(*WalkFile) {
			mu.Lock()
			defer mu.Unlock()
			if n++; n == 5 {
				cancel()
			}
		}
	})
	if !errors.Is(err, context.Canceled) || n > 300 {
		t.Errorf("%d visits, %v", n, err)
	}
}

// While folders are swapped for links to the outside, nothing outside is read.
func TestWalkWhileFoldersAreSwapped(t *testing.T) {
	dir := makeTree(t, "ws/d/f", "ws/keep/f", "outside/f")
	if err := os.WriteFile(filepath.Join(dir, "outside/f"), []byte("SECRET"), 0o644); err != nil {
		t.Fatal(err)
	}
	ws := filepath.Join(dir, "ws")
	host := NewHost("")
	defer host.Close()
	w, err := host.Open(Config{Roots: []string{ws}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	loc, err := w.Resolve(".")
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		d, away := filepath.Join(ws, "d"), filepath.Join(dir, "away")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(d, away)
			_ = os.Symlink(filepath.Join(dir, "outside"), d)
			_ = os.Remove(d)
			_ = os.Rename(away, d)
		}
	})
	for range 300 {
		_, err := w.Walk(t.Context(), loc, WalkOptions{Links: true}, func() func(*WalkFile) {
			var buf ReadBuffer
			return func(f *WalkFile) {
				_ = f.Pieces(&buf, func(b []byte, _ bool) bool {
					if strings.Contains(string(b), "SECRET") {
						t.Errorf("%s was read from outside", f.Path())
					}
					return true
				})
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	swapper.Wait()
}

func TestPieces(t *testing.T) {
	dir := makeTree(t, "x")
	long := strings.Repeat("y", 5<<20)
	for _, text := range []string{"", "a", "a\n", "a\nb", strings.Repeat("line\n", 3<<20), long, long + "\n" + long, "\xef\xbb\xbfa\n", strings.Repeat("z", 256<<10), strings.Repeat("z", 256<<10-1) + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, "x"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		host := NewHost("")
		w, err := host.Open(Config{Roots: []string{dir}})
		if err != nil {
			t.Fatal(err)
		}
		loc, err := w.Resolve("x")
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		lasts := 0
		_, err = w.Walk(t.Context(), loc, WalkOptions{}, func() func(*WalkFile) {
			var buf ReadBuffer
			return func(f *WalkFile) {
				err := f.Pieces(&buf, func(b []byte, last bool) bool {
					got.Write(b)
					if last {
						lasts++
					} else if b[len(b)-1] != '\n' {
						t.Error("a piece ends inside a line")
					}
					return true
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimPrefix(text, "\xef\xbb\xbf"); got.String() != want || lasts != 1 {
			t.Errorf("%d bytes in pieces, want %d; %d last ones", got.Len(), len(want), lasts)
		}
		w.Close()
		host.Close()
	}
}
