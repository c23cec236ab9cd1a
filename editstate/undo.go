package editstate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

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
	between := map[string]bool{} // changed by somebody else during the turn
	var paths []string
	for _, r := range u.log {
		if r.Turn != turn {
			continue
		}
		if _, seen := first[r.Path]; !seen {
			first[r.Path] = r
			paths = append(paths, r.Path)
		} else if !sameImage(last[r.Path].After, r.Before) {
			between[r.Path] = true
		}
		last[r.Path] = r
	}
	u.mu.Unlock()
	u.Begin(as)
	res := &Undone{TurnID: turn, Restored: []string{}, Conflicts: []UndoConflict{}}
	for _, p := range paths {
		display := w.DisplayPath(p)
		if between[p] {
			res.Conflicts = append(res.Conflicts, UndoConflict{display, "somebody else changed it during the turn, too"})
			continue
		}
		switch err := w.restore(ctx, p, first[p], last[p]); {
		case err == nil:
			res.Restored = append(res.Restored, display)
		case ctx.Err() != nil:
			return res, ctx.Err()
		default:
			res.Conflicts = append(res.Conflicts, UndoConflict{display, reason(err)})
		}
	}
	return res, nil
}

// reason is an error for a person, without the hint for the model.
func reason(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// restore puts one file back. What is there must be what the turn left.
func (w *Workspace) restore(ctx context.Context, path string, first, last undoRecord) error {
	unlock := w.host.locks.lock(path)
	defer unlock()
	loc, err := w.Resolve(path)
	if err != nil {
		return err
	}
	if loc.Path() != path {
		return errors.New("it is a link to another file now")
	}
	now, err := w.ReadLoc(ctx, loc)
	switch {
	case isCode(err, NotFound):
		now = nil
	case err != nil:
		return err
	}
	switch {
	case now == nil && last.After != nil:
		return errors.New("it was removed or renamed after the turn")
	case !sameImage(imageOf(now), last.After):
		return errors.New("it was changed after the turn")
	case now != nil && now.Source == Disk && (now.mode&0o222 == 0 || !writable(loc)):
		return errors.New("it is read-only now")
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
	mode := first.Mode
	if now != nil {
		mode = now.mode // no turn changes it: whatever it is now, somebody wants it so
	}
	fi, _, made, err := w.host.put(writing{loc: loc, b: want, old: now, mode: mode, kept: func() error { return nil }})
	if err != nil {
		return nil, writeError(f.Display, now == nil, err)
	}
	f.made, f.stamp, f.mode = made, stampOf(fi), fi.Mode()
	return f, nil
}
