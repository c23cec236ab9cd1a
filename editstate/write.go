package editstate

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writing is a content on its way to a file.
type writing struct {
	loc Loc
	b   []byte
	// old is what stands there, and is replaced with its mode; if it is nil,
	// nothing may stand there, and missing folders are made.
	old  *File
	mode fs.FileMode
	// kept is asked before the file changes: an error of it, e.g. that the old
	// content could not be kept, lets all be as it was.
	kept func() error
}

// put writes to a file: a reader, and the world after a crash, sees the old
// content or the new one, never a part.
//
// notes are facts about the write that somebody should know. made is the
// uppermost folder that was made.
func (h *Host) put(w writing) (fi fs.FileInfo, notes []string, made string, err error) {
	loc := w.loc
	dirRel, base := filepath.Dir(loc.rel), filepath.Base(loc.rel)
	if w.old == nil {
		made = firstMissing(loc.root, dirRel)
		if err := loc.root.os.MkdirAll(dirRel, 0o777); err != nil {
			removeMade(loc.root, dirRel, made)
			return nil, nil, "", err
		}
	}
	dir, err := loc.root.os.OpenRoot(dirRel)
	if err != nil {
		removeMade(loc.root, dirRel, made)
		return nil, nil, "", err
	}
	defer dir.Close()
	fi, notes, err = h.replace(dir, base, w)
	if err != nil && inPlaceHelps(err) {
		if fi, notes, done, ierr := w.overwrite(dir, base, "no new file can take its place ("+errText(err)+")"); done {
			return fi, notes, "", ierr
		}
	}
	if err != nil {
		removeMade(loc.root, dirRel, made)
		made = ""
	}
	return fi, notes, made, err
}

// replace writes a new file, which then takes its place.
func (h *Host) replace(dir *os.Root, base string, w writing) (fi fs.FileInfo, notes []string, err error) {
	perm := fs.FileMode(0o666)
	if w.old != nil {
		perm = 0o600 // until it is given the mode of the file
	}
	t, err := newTemp(dir, filepath.Dir(w.loc.Path()), &h.staging, perm)
	if err != nil {
		return nil, nil, err
	}
	defer t.discard()
	if _, err := t.f.Write(w.b); err != nil {
		return nil, nil, err
	}
	if w.old != nil {
		lost, err := keepMeta(dir, base, t.f, w.mode)
		if err != nil {
			return nil, nil, err
		}
		if len(lost) > 0 {
			if fi, notes, done, err := w.overwrite(dir, base, "a new file could not be given "+strings.Join(lost, " and ")); done {
				return fi, notes, err
			}
			notes = append(notes, fmt.Sprintf("%s could not be kept for %s.", strings.Join(lost, " and "), w.old.Display))
		}
	}
	if err := t.f.Sync(); err != nil {
		return nil, nil, err
	}
	if err := w.kept(); err != nil {
		return nil, nil, err
	}
	if err := w.unchanged(dir, base, t.f); err != nil {
		return nil, nil, err
	}
	if err := t.place(base, w.old == nil); err != nil {
		return nil, nil, err
	}
	// The stat comes after the last change of the inode, so that the ledger
	// knows the file by it.
	fi, err = t.f.Stat()
	return fi, notes, err
}

// unchanged looks at the old file once more, since writing and syncing a large
// one takes long enough for somebody to save it meanwhile. If it was only
// touched, the new file f gets the mode that it has now.
func (w writing) unchanged(dir *os.Root, base string, f *os.File) error {
	if w.old == nil {
		return nil
	}
	stale := &Error{Code: Stale, Path: w.old.Display, Message: w.old.Display + " was changed by somebody else meanwhile; nothing was written",
		Hint: "Read it again with read_file and repeat the change if it is still needed."}
	fi, err := dir.Lstat(base)
	switch {
	case err != nil || !fi.Mode().IsRegular():
		return stale
	case stampOf(fi) == w.old.stamp:
		return nil
	}
	now := &File{Loc: w.loc, Display: w.old.Display}
	if err := now.readDisk(); err != nil || !bytes.Equal(now.Bytes, w.old.Bytes) {
		return stale
	}
	if now.mode == w.mode {
		return nil
	}
	return chmod(f, now.mode)
}

func chmod(f *os.File, mode fs.FileMode) error {
	return f.Chmod(mode.Perm() | mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}

// firstMissing is the uppermost folder of dir that is not there; "" if all are.
func firstMissing(r *root, dir string) string {
	missing := ""
	for ; dir != "."; dir = filepath.Dir(dir) {
		if _, err := r.os.Lstat(dir); err == nil {
			break
		}
		missing = dir
	}
	return missing
}

// removeMade removes dir and the folders above it up to made, as far as they
// are empty.
func removeMade(r *root, dir, made string) {
	if made == "" {
		return
	}
	for ; dir != "."; dir = filepath.Dir(dir) {
		// What is not there, or cannot be, does not matter; and a file that
		// somebody has put there is not ours to remove.
		if fi, err := r.os.Lstat(dir); err == nil && fi.IsDir() {
			_ = r.os.Remove(dir)
		}
		if dir == made {
			return
		}
	}
}

// keepMeta gives the new file what belongs to the one in its place: owner,
// extended attributes (access control lists are some), mode.
func keepMeta(dir *os.Root, base string, f *os.File, mode fs.FileMode) (lost []string, err error) {
	if old, err := dir.OpenFile(base, os.O_RDONLY|openNonblock, 0); err == nil {
		lost = keepOwner(f, old)
		old.Close()
	}
	return lost, chmod(f, mode)
}

// Names of temporary files beside their targets.
const (
	tempPrefix = ".agentd-"
	tempSuffix = ".tmp"
)

func tempName() string { return tempPrefix + rand.Text()[:12] + tempSuffix }

// namedTemp is a temporary file with a name in the folder of its target.
type namedTemp struct {
	dir    *os.Root
	name   string
	forget func() // the staging folder's note of it
}

// newNamed chooses a name in dir, whose path is dirPath.
func newNamed(dir *os.Root, dirPath string, s *staging) *namedTemp {
	n := &namedTemp{dir: dir, name: tempName()}
	n.forget = s.note(filepath.Join(dirPath, n.name))
	return n
}

func (n *namedTemp) create(perm fs.FileMode) (*os.File, error) {
	f, err := n.dir.OpenFile(n.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		n.forget()
	}
	return f, err
}

// place moves the file to its target. For a new file it makes a second name
// first, which fails if somebody took the name; where a file can have one name
// only, as on FAT, it takes the name with an empty file.
func (n *namedTemp) place(base string, create bool) error {
	if create {
		err := n.dir.Link(n.name, base)
		if err == nil {
			n.discard()
			return nil
		}
		if errors.Is(err, fs.ErrExist) || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		return n.placeNew(base)
	}
	if err := n.dir.Rename(n.name, base); err != nil {
		return err
	}
	n.name = ""
	n.forget()
	return nil
}

func (n *namedTemp) placeNew(base string) error {
	f, err := n.dir.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	if err := n.place(base, false); err != nil {
		_ = n.dir.Remove(base)
		return err
	}
	return nil
}

func (n *namedTemp) discard() {
	if n.name != "" {
		_ = n.dir.Remove(n.name)
		n.name = ""
		n.forget()
	}
}
