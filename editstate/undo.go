package editstate

import (
	"context"
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
	dir string

	mu    sync.Mutex
	turn  string
	log   []undoRecord
	bytes int64
	sizes map[Hash]int64
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
func NewUndo(dir string) *Undo { return &Undo{dir: dir, sizes: map[Hash]int64{}} }

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

// Close removes the images.
func (u *Undo) Close() error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.log = nil
	return os.RemoveAll(u.dir)
}

func imageOf(f *File) *undoImage {
	if f == nil {
		return nil
	}
	return &undoImage{f.Hash, f.Hash.String(), f.Source}
}

// keep saves what a file was, before it is written. A change that cannot be
// undone is not made.
func (u *Undo) keep(before *File) error {
	if u == nil || before == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, have := u.sizes[before.Hash]; have {
		return nil
	}
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
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

func (u *Undo) image(h Hash) string { return filepath.Join(u.dir, h.String()) }

// shrink drops the oldest turns while there is too much. u.mu is held.
func (u *Undo) shrink(newest Hash) {
	for u.bytes > MaxUndoBytes && len(u.log) > 0 && u.log[0].Turn != u.turn {
		oldest := u.log[0].Turn
		u.log = slices.DeleteFunc(u.log, func(r undoRecord) bool { return r.Turn == oldest })
		needed := map[Hash]bool{newest: true}
		for _, r := range u.log {
			if r.Before != nil {
				needed[r.Before.Hash] = true
			}
		}
		for h, size := range u.sizes {
			if !needed[h] {
				_ = os.Remove(u.image(h))
				delete(u.sizes, h)
				u.bytes -= size
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
	if b, err := json.Marshal(r); err == nil && os.MkdirAll(u.dir, 0o700) == nil {
		if f, err := os.OpenFile(filepath.Join(u.dir, "journal.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, _ = f.Write(append(b, '\n'))
			f.Close()
		}
	}
}

// Undone says what became of an undo.
type Undone struct {
	TurnID string `json:"turnId"`
	// Restored are the files that are again as they were before the turn, as
	// displayed.
	Restored []string `json:"restored"`
	// Conflicts are the files that were left alone, since somebody has changed
	// them since.
	Conflicts []UndoConflict `json:"conflicts"`
}

// UndoConflict is a file that was left alone.
type UndoConflict struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// ErrNothingToUndo is returned for a turn that changed no file.
var ErrNothingToUndo = errors.New("there is nothing to undo")

// Undo puts the files that a turn changed back to what they were before it,
// unless somebody has changed them since. The undo is a turn of its own, named
// as, and can be undone. An empty turn means the last one.
func (w *Workspace) Undo(ctx context.Context, turn, as string) (*Undone, error) {
	u := w.cfg.Undo
	turns := u.Turns()
	if turn == "" && len(turns) > 0 {
		turn = turns[len(turns)-1]
	}
	if !slices.Contains(turns, turn) {
		return nil, ErrNothingToUndo
	}
	u.mu.Lock()
	first, last := map[string]undoRecord{}, map[string]undoRecord{}
	var paths []string
	for _, r := range u.log {
		if r.Turn != turn {
			continue
		}
		if _, seen := first[r.Path]; !seen {
			first[r.Path] = r
			paths = append(paths, r.Path)
		}
		last[r.Path] = r
	}
	u.mu.Unlock()
	u.Begin(as)
	res := &Undone{TurnID: turn, Restored: []string{}, Conflicts: []UndoConflict{}}
	for _, p := range paths {
		display := w.DisplayPath(p)
		switch err := w.restore(ctx, p, first[p], last[p]); {
		case err == nil:
			res.Restored = append(res.Restored, display)
		case ctx.Err() != nil:
			return res, ctx.Err()
		default:
			res.Conflicts = append(res.Conflicts, UndoConflict{display, err.Error()})
		}
	}
	return res, nil
}

// restore puts one file back. What is there must be what the turn left.
func (w *Workspace) restore(ctx context.Context, path string, first, last undoRecord) error {
	unlock := w.host.locks.lock(path)
	defer unlock()
	loc, err := w.Resolve(path)
	if err != nil {
		return err
	}
	now, err := w.ReadLoc(ctx, loc)
	switch {
	case isCode(err, NotFound):
		now = nil
	case err != nil:
		return err
	}
	left := imageOf(now)
	if (left == nil) != (last.After == nil) || left != nil && left.Hash != last.After.Hash {
		return errors.New("it was changed after the turn")
	}
	var want []byte
	if first.Before != nil {
		if want, err = os.ReadFile(w.cfg.Undo.image(first.Before.Hash)); err != nil || HashOf(want) != first.Before.Hash {
			return errors.New("what it was before is not kept any more")
		}
	}
	if err := w.cfg.Undo.keep(now); err != nil {
		return err
	}
	after, err := w.putBack(ctx, loc, now, want, first)
	if err != nil {
		return err
	}
	w.cfg.Undo.record(now, after)
	return nil
}

// putBack writes the old content, or removes a file that was not there.
func (w *Workspace) putBack(ctx context.Context, loc Loc, now *File, want []byte, first undoRecord) (*File, error) {
	switch {
	case first.Before == nil && now != nil && now.Source == InBuffer:
		return nil, errors.New("it has unsaved changes in the editor")
	case first.Before == nil:
		if err := loc.root.os.Remove(loc.rel); err != nil && now != nil {
			return nil, err
		}
		removeMade(loc.root, filepath.Dir(loc.rel), first.Made)
		return nil, nil
	case now != nil && now.Source == InBuffer:
		f := &File{Loc: loc, Display: w.Display(loc), Doc: Doc{Encoding: UTF8}}
		text := string(want)
		if first.Before.Source == Disk {
			text = Decode(want).Text
		}
		c := &Change{URI: loc.URI(), Path: f.Display, loc: loc, base: now}
		return f, w.writeBuffer(ctx, c, text, f)
	case first.Before.Source == InBuffer:
		return nil, errors.New("it was saved after the turn")
	}
	f := &File{Loc: loc, Display: w.Display(loc), Doc: Decode(want), Source: Disk, Bytes: want, Hash: HashOf(want)}
	fi, _, made, err := w.host.put(loc, want, now, first.Mode)
	if err != nil {
		return nil, writeError(f.Display, err)
	}
	f.made, f.stamp, f.mode = made, stampOf(fi), fi.Mode()
	return f, nil
}
