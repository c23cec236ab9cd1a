package editstate

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// MaxUndoBytes bounds the before-images that a session keeps; when it is
// reached the images of the oldest turns go first.
const MaxUndoBytes = 256 << 20

// Undo keeps what files were before each turn, by the hash of their content,
// in a folder that only this user can read. It is safe for concurrent use. The
// folder is made by the first change.
type Undo struct {
	dir  string
	most int64 // bytes of images

	mu      sync.Mutex
	turn    string
	log     []undoRecord
	bytes   int64
	journal *os.File // nil until the first change
	closed  bool
	sizes   map[Hash]int64
}

// undoRecord is one write: what stood at a path before, and after.
type undoRecord struct {
	Turn   string      `json:"turn"`
	Path   string      `json:"path"` // real, absolute
	Before *undoImage  `json:"before,omitempty"`
	After  *undoImage  `json:"after,omitempty"`
	Mode   fs.FileMode `json:"mode,omitempty"`
	Made   string      `json:"made,omitempty"` // the uppermost folder made for it, below its root
}

// undoImage names a content. Text in an unsaved buffer is one, too.
type undoImage struct {
	Hash   Hash   `json:"-"`
	SHA256 string `json:"sha256"`
	Source Source `json:"source"`
}

// NewUndo keeps before-images in dir, which need not exist.
func NewUndo(dir string) *Undo { return &Undo{dir: dir, most: MaxUndoBytes, sizes: map[Hash]int64{}} }

// Begin names the turn to which the writes that follow belong.
func (u *Undo) Begin(turn string) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.turn = turn
}

// Turns lists the turns that changed files and can be undone, oldest first.
func (u *Undo) Turns() []string {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []string
	for _, r := range u.log {
		if !slices.Contains(out, r.Turn) {
			out = append(out, r.Turn)
		}
	}
	return out
}

// Paths lists the files that were changed, in the order of names.
func (u *Undo) Paths() []string {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []string
	for _, r := range u.log {
		out = append(out, r.Path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Restore takes up what an earlier process has kept in the folder. What is
// damaged there is left out.
func (u *Undo) Restore() {
	u.mu.Lock()
	defer u.mu.Unlock()
	b, err := os.ReadFile(filepath.Join(u.dir, journalName))
	if err != nil {
		return
	}
	for line := range bytes.Lines(b) {
		var r undoRecord
		if json.Unmarshal(line, &r) != nil || r.Before.restore() != nil || r.After.restore() != nil {
			continue
		}
		if r.Before != nil {
			// An image may be missing: of what the turn wrote itself there is none.
			_, have := u.sizes[r.Before.Hash]
			if fi, err := os.Stat(u.image(r.Before.Hash)); err == nil && !have {
				u.sizes[r.Before.Hash] = fi.Size()
				u.bytes += fi.Size()
			}
		}
		u.log = append(u.log, r)
	}
}

// restore reads the hash of an image back from its text.
func (i *undoImage) restore() error {
	if i == nil {
		return nil
	}
	if len(i.SHA256) != hex.EncodedLen(len(i.Hash)) {
		return errors.New("a hash of the wrong length")
	}
	_, err := hex.Decode(i.Hash[:], []byte(i.SHA256))
	return err
}

// Close lets go of the folder. What is in it stays, for the session may be opened
// again.
func (u *Undo) Close() error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.log, u.closed = nil, true
	if u.journal == nil {
		return nil
	}
	err := u.journal.Close()
	u.journal = nil
	return err
}

func imageOf(f *File) *undoImage {
	if f == nil {
		return nil
	}
	return &undoImage{f.Hash, f.Hash.String(), f.Source}
}

// sameImage reports whether two contents are equal; nil is no file.
func sameImage(a, b *undoImage) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Hash == b.Hash
}

// keeping saves what a file was while the new content is being written. The
// returned function waits for it.
func (u *Undo) keeping(before *File) (kept func() error) {
	done := make(chan error, 1)
	go func() { done <- u.keep(before) }()
	return sync.OnceValue(func() error { return <-done })
}

// open makes the folder and its journal. u.mu is held.
func (u *Undo) open() error {
	switch {
	case u.closed:
		return errors.New("the session is closed")
	case u.journal != nil:
		return nil
	}
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(u.dir, journalName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	u.journal = f
	return err
}

// keep saves what a file was, before it is written. A change that cannot be
// undone is not made. What a turn has written itself is not kept when it writes
// the file again: undoing goes back to before the turn.
func (u *Undo) keep(before *File) error {
	if u == nil || before == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, have := u.sizes[before.Hash]; have || u.wrote(before) {
		return nil
	}
	if err := u.open(); err != nil {
		return fmt.Errorf("keeping what the file was: %w", err)
	}
	path := u.image(before.Hash)
	if err := os.WriteFile(path, before.Bytes, 0o600); err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("keeping what the file was: %w", err)
	}
	u.sizes[before.Hash] = int64(len(before.Bytes))
	u.bytes += int64(len(before.Bytes))
	u.shrink(before.Hash)
	return nil
}

// journalName is the file beside the images that says what became of them.
const journalName = "journal.jsonl"

func (u *Undo) image(h Hash) string { return filepath.Join(u.dir, h.String()) }

// wrote reports whether f is as the present turn left it. u.mu is held.
func (u *Undo) wrote(f *File) bool {
	path := f.Loc.Path()
	for _, r := range slices.Backward(u.log) {
		if r.Turn != u.turn {
			return false
		}
		if r.Path == path {
			return sameImage(r.After, imageOf(f))
		}
	}
	return false
}

// shrink drops the oldest turns while there is too much, and then the oldest
// images of the present one, whose files then are conflicts of an undo. u.mu is
// held.
func (u *Undo) shrink(newest Hash) {
	u.shrinkTurns(newest)
	for _, r := range u.log {
		if u.bytes <= u.most {
			return
		}
		if r.Before != nil && r.Before.Hash != newest {
			u.drop(r.Before.Hash)
		}
	}
}

// drop removes an image. u.mu is held.
func (u *Undo) drop(h Hash) {
	if size, have := u.sizes[h]; have {
		_ = os.Remove(u.image(h))
		delete(u.sizes, h)
		u.bytes -= size
	}
}

func (u *Undo) shrinkTurns(newest Hash) {
	for u.bytes > u.most && len(u.log) > 0 && u.log[0].Turn != u.turn {
		oldest := u.log[0].Turn
		u.log = slices.DeleteFunc(u.log, func(r undoRecord) bool { return r.Turn == oldest })
		needed := map[Hash]bool{newest: true}
		for _, r := range u.log {
			if r.Before != nil {
				needed[r.Before.Hash] = true
			}
		}
		for h := range u.sizes {
			if !needed[h] {
				u.drop(h)
			}
		}
	}
}

// record notes a write that has been made. The journal beside the images is
// for a daemon that comes after this one.
func (u *Undo) record(before, after *File) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	r := undoRecord{Turn: u.turn, Before: imageOf(before), After: imageOf(after)}
	for _, f := range []*File{before, after} {
		if f != nil {
			r.Path = f.Loc.Path()
		}
	}
	if before != nil {
		r.Mode = before.mode
	}
	if after != nil {
		r.Made = after.made
	}
	u.log = append(u.log, r)
	if b, err := json.Marshal(r); err == nil && u.open() == nil {
		_, _ = u.journal.Write(append(b, '\n'))
	}
}
