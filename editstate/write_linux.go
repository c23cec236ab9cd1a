package editstate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// temp is the file being written. Where the file system can, it has no name
// until it is complete, so that a killed process leaves nothing behind.
type temp struct {
	f       *os.File
	dir     *os.Root
	dirPath string
	staging *staging
	named   *namedTemp // nil while the file has no name in the folder
}

func newTemp(dir *os.Root, dirPath string, s *staging, perm fs.FileMode) (*temp, error) {
	t := &temp{dir: dir, dirPath: dirPath, staging: s}
	var err error
	if t.f, err = dir.OpenFile(".", os.O_WRONLY|unix.O_TMPFILE, perm); err == nil {
		return t, nil
	}
	t.named = newNamed(dir, dirPath, s)
	t.f, err = t.named.create(perm)
	return t, err
}

// place gives the complete file its name. A new file gets it in one step that
// fails if the name is taken. To replace a file it needs a name of its own for
// the moment before the rename: in the staging folder, or beside the target if
// that is another file system.
func (t *temp) place(base string, create bool) error {
	if t.named != nil {
		return t.named.place(base, create)
	}
	d, err := t.dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if create {
		return t.link(int(d.Fd()), base)
	}
	if t.staging.ready() {
		name := filepath.Join(t.staging.dir, t.staging.name())
		if t.link(unix.AT_FDCWD, name) == nil {
			err := unix.Renameat(unix.AT_FDCWD, name, int(d.Fd()), base)
			if err == nil {
				return nil
			}
			// Without this name the file is gone: it gets no second one.
			_ = os.Remove(name)
			return &os.LinkError{Op: "rename", Old: name, New: base, Err: err}
		}
	}
	t.named = newNamed(t.dir, t.dirPath, t.staging)
	if err := t.link(int(d.Fd()), t.named.name); err != nil {
		return err
	}
	return t.named.place(base, create)
}

func (t *temp) link(dir int, name string) error {
	from := fmt.Sprintf("/proc/self/fd/%d", t.f.Fd())
	if err := unix.Linkat(unix.AT_FDCWD, from, dir, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "linkat", Old: from, New: name, Err: err}
	}
	return nil
}

func (t *temp) discard() {
	if t.named != nil {
		t.named.discard()
	}
	t.f.Close()
}

// keepOwner gives f the owner, the group and the extended attributes of the
// file that it replaces, as far as this user may, and names what it may not.
func keepOwner(f, old *os.File) (lost []string) {
	fi, err := old.Stat()
	if err != nil {
		return nil
	}
	now, err := f.Stat() // a folder can give its own group to new files
	if err != nil {
		return nil
	}
	was, ok := fi.Sys().(*syscall.Stat_t)
	has, ok2 := now.Sys().(*syscall.Stat_t)
	if ok && ok2 && (was.Uid != has.Uid || was.Gid != has.Gid) && f.Chown(int(was.Uid), int(was.Gid)) != nil {
		if was.Uid != has.Uid {
			lost = append(lost, "its owner")
		}
		if was.Gid != has.Gid && f.Chown(-1, int(was.Gid)) != nil {
			lost = append(lost, "its group")
		}
	}
	names, err := attributes(old)
	if err != nil {
		return append(lost, "its attributes")
	}
	// A folder can give new files an access list, which would let others in.
	if given, err := attributes(f); err == nil {
		for _, name := range given {
			if !slices.Contains(names, name) && !strings.HasPrefix(name, "security.") && unix.Fremovexattr(int(f.Fd()), name) != nil {
				lost = append(lost, "its lack of the attribute "+name)
			}
		}
	}
	if len(names) == 0 {
		return lost
	}
	value := make([]byte, 64<<10) // the most that the kernel keeps
	for _, name := range names {
		size, err := unix.Fgetxattr(int(old.Fd()), name, value)
		if err == nil {
			err = unix.Fsetxattr(int(f.Fd()), name, value[:size], 0)
		}
		if err != nil && !strings.HasPrefix(name, "security.") { // labels are the system's
			lost = append(lost, "its attribute "+name)
		}
	}
	return lost
}

// attributes lists the extended attributes of a file; none where the file
// system has no such thing.
func attributes(f *os.File) ([]string, error) {
	n, err := unix.Flistxattr(int(f.Fd()), nil)
	if err != nil || n == 0 {
		return nil, nil
	}
	names := make([]byte, n+1024)
	if n, err = unix.Flistxattr(int(f.Fd()), names); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, nil
	}
	return strings.Split(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00"), nil
}
