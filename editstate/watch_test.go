package editstate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// TestNoWatcher: on a machine that has no watcher left nobody is told early,
// and edits are refused all the same.
func TestNoWatcher(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "f"), "one\n")
	h := NewHost("")
	h.watch.open = func() (*fsnotify.Watcher, error) { return nil, errors.New("too many open files") }
	ws, err := h.Open(Config{Roots: []string{dir}, OnStale: func(p []string) { t.Errorf("told of %v", p) }})
	must(t, err)
	w := &world{t, ws, dir}
	w.see("f")
	must(t, w.edit("f", "one", "two"))
	w.put("f", "the user's\n")
	wantCode(t, w.edit("f", "two", "three"), Stale)
	w.see("f")
	must(t, w.edit("f", "user's", "model's"))
	ws.Close()
	h.Close()
}

// TestNoWatchLeft: a folder for which there was no watch is asked for again
// when a file in it is read the next time.
func TestNoWatchLeft(t *testing.T) {
	told := make(chan []string, 16)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "d", "f"), "one\n")
	w := openWorld(t, Config{Roots: []string{dir}, OnStale: func(p []string) { told <- p }})
	spent, err := fsnotify.NewWatcher()
	must(t, err)
	must(t, spent.Close()) // gives no watches any more
	w.host.watch.open = func() (*fsnotify.Watcher, error) { return spent, nil }
	w.see("d/f")
	w.put("d/f", "two\n")
	wantCode(t, w.edit("d/f", "one", "x"), Stale)
	w.host.watch.close()
	w.host.watch.mu.Lock()
	w.host.watch.closed = false
	w.host.watch.open = fsnotify.NewWatcher
	w.host.watch.mu.Unlock()
	w.see("d/f")
	w.put("d/f", "three\n")
	if have := <-told; len(have) != 1 || have[0] != "d/f" {
		t.Errorf("told of %v", have)
	}
}

// TestWatchesAreCounted: a folder is watched as long as a ledger holds a file
// of it, and no other folder is.
func TestWatchesAreCounted(t *testing.T) {
	w := newWorld(t, map[string]string{"d/f": "1\n", "d/g": "1\n", "e/h": "1\n", "other/x": "1\n"})
	child, err := w.Fork()
	must(t, err)
	w.see("d/f")
	w.see("d/g")
	w.see("e/h")
	f, err := child.Read(t.Context(), "d/f")
	must(t, err)
	child.SeeAll(f)
	check := func(want ...string) {
		t.Helper()
		have := map[string]bool{}
		for _, p := range w.host.watch.fs.WatchList() {
			have[p] = true
		}
		for _, name := range want {
			if p := filepath.Join(w.dir, name); !have[p] {
				t.Errorf("%s is not watched", name)
			}
		}
		if len(have) != len(want) {
			t.Errorf("watched are %v, want %v", have, want)
		}
	}
	check("d", "e")
	for _, name := range []string{"d/f", "e/h"} {
		loc, err := w.Resolve(name)
		must(t, err)
		w.Ledger().Forget(loc)
	}
	check("d")
	child.Close()
	check("d")
	must(t, os.Remove(filepath.Join(w.dir, "d/g")))
	w.Workspace.Close()
	check()
}
