package editstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentd-dev/agentd/editstate/filelock"
)

// updatePatience is how long an Update waits for others.
const updatePatience = 10 * time.Second

// Update changes a file of agentd's own in the workspace, such as a list of tasks:
// change gets what is there (nil if there is none) and gives what is to be there.
// Whatever other sessions and processes do at the same time, no change is lost. It
// is not for files that a person edits: nobody is asked, and nothing is noted as
// read.
func (w *Workspace) Update(ctx context.Context, path string, change func(old []byte) ([]byte, error)) error {
	loc, err := w.Resolve(path)
	if err != nil {
		return err
	}
	unlock := w.host.locks.lock(loc.Path())
	defer unlock()
	release, err := lockAcross(ctx, loc)
	if err != nil {
		return &Error{Code: IO, Path: w.Display(loc), Message: fmt.Sprintf("%s cannot be changed now: %s", w.Display(loc), errText(err)), Hint: "Try again in a moment.", Err: err}
	}
	defer release()
	old, err := w.ReadLoc(ctx, loc)
	if isCode(err, NotFound) {
		old, err = nil, nil
	}
	if err != nil {
		return err
	}
	var was []byte
	if old != nil {
		was = old.Bytes
	}
	now, err := change(was)
	if err != nil {
		return err
	}
	wr := writing{loc: loc, b: now, old: old, kept: func() error { return nil }}
	if old != nil {
		wr.mode = old.mode
	}
	if _, _, _, err := w.host.put(wr); err != nil {
		return writeError(w.Display(loc), old == nil, err)
	}
	return nil
}

// lockAcross takes a place for this process: by a file in the system's folder for
// temporary files, which all of the user's daemons share.
func lockAcross(ctx context.Context, loc Loc) (release func(), err error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("agentd-locks-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, HashOf([]byte(loc.Path())).String()), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(updatePatience); ; {
		err := filelock.Try(f)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, filelock.ErrLocked) || time.Now().After(deadline) {
			f.Close()
			return nil, err
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		}
	}
}
