package editstate

import (
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
)

// writeAtomic puts b in the place of a file: a reader, and the world after a
// crash, sees the old content or the new one, never a part. create demands
// that nothing stands there, and makes missing folders. mode is kept for an
// existing file; a new one gets what the umask allows.
//
// lost names what of an existing file could not be given to the new one.
func (h *Host) writeAtomic(loc Loc, b []byte, create bool, mode fs.FileMode) (fi fs.FileInfo, lost []string, err error) {
	dirRel, base := filepath.Dir(loc.rel), filepath.Base(loc.rel)
	if create {
		if err := loc.root.os.MkdirAll(dirRel, 0o777); err != nil {
			return nil, nil, err
		}
	}
	dir, err := loc.root.os.OpenRoot(dirRel)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	perm := fs.FileMode(0o666)
	if !create {
		perm = 0o600 // until it is given the mode of the file
	}
	t, err := newTemp(dir, filepath.Dir(loc.Path()), &h.staging, perm)
	if err != nil {
		return nil, nil, err
	}
	defer t.discard()
	if _, err := t.f.Write(b); err != nil {
		return nil, nil, err
	}
	if !create {
		if lost, err = keepMeta(dir, base, t.f, mode); err != nil {
			return nil, nil, err
		}
	}
	if err := t.f.Sync(); err != nil {
		return nil, nil, err
	}
	if err := t.place(base, create); err != nil {
		return nil, nil, err
	}
	// The stat comes after the last change of the inode, so that the ledger
	// knows the file by it.
	fi, err = t.f.Stat()
	return fi, lost, err
}

// keepMeta gives the new file what belongs to the one in its place: owner,
// extended attributes (access control lists are some), mode.
func keepMeta(dir *os.Root, base string, f *os.File, mode fs.FileMode) (lost []string, err error) {
	if old, err := dir.OpenFile(base, os.O_RDONLY|openNonblock, 0); err == nil {
		lost = keepOwner(f, old)
		old.Close()
	}
	return lost, f.Chmod(mode.Perm() | mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
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
// first, which fails if somebody took the name.
func (n *namedTemp) place(base string, create bool) error {
	if create {
		if err := n.dir.Link(n.name, base); err != nil {
			return err
		}
		n.discard()
		return nil
	}
	if err := n.dir.Rename(n.name, base); err != nil {
		return err
	}
	n.name = ""
	n.forget()
	return nil
}

func (n *namedTemp) discard() {
	if n.name != "" {
		_ = n.dir.Remove(n.name)
		n.name = ""
		n.forget()
	}
}
