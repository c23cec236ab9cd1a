package editstate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func undoWorld(t *testing.T, files map[string]string) (*world, *Undo, string) {
	t.Helper()
	dir, images := filepath.Join(t.TempDir(), "ws"), filepath.Join(t.TempDir(), "undo")
	must(t, os.MkdirAll(dir, 0o755))
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	u := NewUndo(images)
	return openWorld(t, Config{Roots: []string{dir}, Undo: u}), u, images
}

// TestUndoCreated: folders that were made for a file go with it, as long as
// they are empty.
func TestUndoCreated(t *testing.T) {
	w, u, _ := undoWorld(t, map[string]string{"old/x": "x\n"})
	u.Begin("t1")
	must(t, w.write("old/new/deep/f", "f\n"))
	must(t, w.write("kept/g", "g\n"))
	w.put("kept/by-user", "u\n")
	done, err := w.Undo(t.Context(), "", "u1")
	must(t, err)
	if len(done.Restored) != 2 || len(done.Conflicts) > 0 {
		t.Errorf("%+v", done)
	}
	for path, there := range map[string]bool{"old": true, "old/new": false, "kept": true, "kept/g": false} {
		if _, err := os.Lstat(filepath.Join(w.dir, path)); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err = w.Undo(t.Context(), "", "u2") // the undo itself
	must(t, err)
	if w.get("old/new/deep/f") != "f\n" || w.get("kept/g") != "g\n" {
		t.Error("the undo was not undone")
	}
}

// TestUndoBound: when the images are too many the oldest turns go, with their
// images, and the rest can still be undone.
func TestUndoBound(t *testing.T) {
	const files, size = 6, 100 << 10
	w, u, images := undoWorld(t, nil)
	u.most = 3*size + size/2
	for i := range files {
		name := fmt.Sprint("f", i)
		w.put(name, string(bytes.Repeat([]byte{byte('a' + i)}, size)))
		w.see(name)
		u.Begin(fmt.Sprint("t", i))
		must(t, w.write(name, "short\n"))
	}
	if have := u.Turns(); len(have) != 3 || have[0] != "t3" {
		t.Errorf("turns %v", have)
	}
	kept := 0
	entries, err := os.ReadDir(images)
	must(t, err)
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Size() == size {
			kept++
		}
		if fi, _ := e.Info(); fi.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), fi.Mode())
		}
	}
	if kept != 3 {
		t.Errorf("%d images are kept", kept)
	}
	if _, err := w.Undo(t.Context(), "t0", "u"); err != ErrNothingToUndo {
		t.Error(err)
	}
	for i := 3; i < files; i++ {
		_, err := w.Undo(t.Context(), fmt.Sprint("t", i), "u")
		must(t, err)
		if have := w.get(fmt.Sprint("f", i)); have != string(bytes.Repeat([]byte{byte('a' + i)}, size)) {
			t.Errorf("f%d was not put back", i)
		}
	}
	must(t, u.Close())
	if err := u.keep(&File{Loc: Loc{root: w.roots[0], rel: "late"}, Bytes: []byte("late")}); err == nil {
		t.Error("a closed store keeps something")
	}
}

// TestUndoRestored: what one process has kept another one can put back, also
// when the last line of the journal was cut.
func TestUndoRestored(t *testing.T) {
	w, u, images := undoWorld(t, map[string]string{"f": "old\n"})
	u.Begin("t1")
	w.see("f")
	must(t, w.edit("f", "old", "new"))
	must(t, w.edit("f", "new", "newer"))
	must(t, w.write("made", "x\n"))
	must(t, u.Close())
	j, err := os.OpenFile(filepath.Join(images, journalName), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = j.WriteString(`{"turn":"t9","path":"/x","before":{"sha256":"beef"}}` + "\n" + `{"turn":"t2","pa`)
	must(t, errors.Join(err, j.Close()))

	again := NewUndo(images)
	again.Restore()
	w2 := openWorld(t, Config{Roots: []string{w.dir}, Undo: again})
	if have := again.Turns(); len(have) != 1 {
		t.Errorf("turns %v", have)
	}
	done, err := w2.Undo(t.Context(), "", "u1")
	must(t, err)
	if len(done.Restored) != 2 || w2.get("f") != "old\n" {
		t.Errorf("%+v", done)
	}
	NewUndo(filepath.Join(images, "nothing")).Restore()
}

// TestUndoDamaged: an image that is gone or was changed is not put back.
func TestUndoDamaged(t *testing.T) {
	w, u, images := undoWorld(t, map[string]string{"f": "old\n", "g": "gold\n"})
	u.Begin("t1")
	w.see("f")
	w.see("g")
	must(t, w.edit("f", "old", "new"))
	must(t, w.edit("g", "gold", "lead"))
	must(t, os.WriteFile(filepath.Join(images, HashOf([]byte("old\n")).String()), []byte("evil\n"), 0o600))
	must(t, os.Remove(filepath.Join(images, HashOf([]byte("gold\n")).String())))
	done, err := w.Undo(t.Context(), "t1", "u1")
	must(t, err)
	if len(done.Conflicts) != 2 || w.get("f") != "new\n" || w.get("g") != "lead\n" {
		t.Errorf("%+v", done)
	}
}

// TestUndoMoved: a file that the user has moved, deleted or turned into another
// kind since is left alone.
func TestUndoMoved(t *testing.T) {
	w, u, _ := undoWorld(t, map[string]string{"moved": "1\n", "gone": "1\n", "folder": "1\n", "link": "1\n", "same": "1\n"})
	u.Begin("t1")
	for _, f := range []string{"moved", "gone", "folder", "link", "same"} {
		w.see(f)
		must(t, w.edit(f, "1", "2"))
	}
	at := func(name string) string { return filepath.Join(w.dir, name) }
	must(t, os.Rename(at("moved"), at("elsewhere")))
	must(t, os.Remove(at("gone")))
	must(t, os.Remove(at("folder")))
	must(t, os.Mkdir(at("folder"), 0o755))
	must(t, os.Remove(at("link")))
	must(t, os.Symlink("elsewhere", at("link")))
	done, err := w.Undo(t.Context(), "t1", "u1")
	must(t, err)
	if len(done.Restored) != 1 || len(done.Conflicts) != 4 || w.get("elsewhere") != "2\n" || w.get("same") != "1\n" {
		t.Errorf("%+v", done)
	}
	if _, err := os.Lstat(at("gone")); err == nil {
		t.Error("a deleted file is back")
	}
}

// TestUndoOfMixedTurn: what somebody else changed between two writes of a turn
// is not undone with them.
func TestUndoOfMixedTurn(t *testing.T) {
	w, u, _ := undoWorld(t, map[string]string{"f": "one\ntwo\n", "g": "one\n"})
	u.Begin("t1")
	w.see("f")
	w.see("g")
	must(t, w.edit("f", "one", "1"))
	must(t, w.edit("g", "one", "1"))
	w.put("f", w.get("f")+"by the user\n")
	w.see("f")
	must(t, w.edit("f", "two", "2"))
	done, err := w.Undo(t.Context(), "", "u1")
	must(t, err)
	if len(done.Restored) != 1 || len(done.Conflicts) != 1 || w.get("f") != "1\n2\nby the user\n" || w.get("g") != "one\n" {
		t.Errorf("%+v %q", done, w.get("f"))
	}
}

// TestUndoKeepsMode: a file that was made private after the turn stays so, and
// one that was made read-only is left alone.
func TestUndoKeepsMode(t *testing.T) {
	w, u, _ := undoWorld(t, map[string]string{"f": "one\n", "g": "one\n"})
	u.Begin("t1")
	for _, name := range []string{"f", "g"} {
		w.see(name)
		must(t, w.edit(name, "one", "two"))
	}
	must(t, os.Chmod(filepath.Join(w.dir, "f"), 0o600))
	must(t, os.Chmod(filepath.Join(w.dir, "g"), 0o400))
	done, err := w.Undo(t.Context(), "", "u1")
	must(t, err)
	if len(done.Restored) != 1 || len(done.Conflicts) != 1 || w.get("f") != "one\n" || w.get("g") != "two\n" {
		t.Errorf("%+v", done)
	}
	if f, g := fileMode(t, filepath.Join(w.dir, "f")), fileMode(t, filepath.Join(w.dir, "g")); f != 0o600 || g != 0o400 {
		t.Errorf("%o %o", f, g)
	}
}

// TestUndoBoundInTurn: one turn keeps of a file what it was before, however
// often it writes it, and no more than the bound in all.
func TestUndoBoundInTurn(t *testing.T) {
	const size = 100 << 10
	w, u, images := undoWorld(t, nil)
	u.most = 3*size + size/2
	u.Begin("t1")
	fill := func(i int) string { return string(bytes.Repeat([]byte{byte('a' + i)}, size)) }
	w.put("f", fill(0))
	w.see("f")
	for i := range 5 {
		must(t, w.write("f", fill(i+1)))
	}
	if u.bytes != size {
		t.Errorf("%d bytes are kept of one file", u.bytes)
	}
	for i := range 5 {
		name := fmt.Sprint("g", i)
		w.put(name, fill(10+i))
		w.see(name)
		must(t, w.write(name, "short\n"))
	}
	kept, err := filepath.Glob(filepath.Join(images, "????????????????????????????????*"))
	must(t, err)
	if u.bytes > u.most || len(kept) != 3 {
		t.Errorf("%d bytes, %d images", u.bytes, len(kept))
	}
	done, err := w.Undo(t.Context(), "", "u1")
	must(t, err)
	if len(done.Restored)+len(done.Conflicts) != 6 || len(done.Restored) == 0 {
		t.Errorf("%+v", done)
	}
}
