package editstate

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// temp is the file being written. Where the file system can, it has no name
// until it is complete, so that a killed process leaves nothing behind.
type temp struct {
	f     *os.File
	dir   *os.Root
	named *namedTemp // nil while the file has no name
}

func newTemp(dir *os.Root, perm fs.FileMode) (*temp, error) {
	if f, err := dir.OpenFile(".", os.O_WRONLY|unix.O_TMPFILE, perm); err == nil {
		return &temp{f: f, dir: dir}, nil
	}
	n := &namedTemp{dir: dir}
	f, err := n.create(perm)
	if err != nil {
		return nil, err
	}
	return &temp{f: f, dir: dir, named: n}, nil
}

// place gives the complete file its name. A new file gets it in one step that
// fails if the name is taken; to replace a file it needs a name of its own for
// the moment before the rename.
func (t *temp) place(base string, create bool) error {
	if t.named == nil {
		if create {
			return t.link(base)
		}
		n := &namedTemp{dir: t.dir, name: tempName()}
		if err := t.link(n.name); err != nil {
			return err
		}
		t.named = n
	}
	return t.named.place(base, create)
}

func (t *temp) link(name string) error {
	d, err := t.dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	from := fmt.Sprintf("/proc/self/fd/%d", t.f.Fd())
	if err := unix.Linkat(unix.AT_FDCWD, from, int(d.Fd()), name, unix.AT_SYMLINK_FOLLOW); err != nil {
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

// keepOwner gives f the owner and group of the file that it replaces, as far
// as this user may.
func keepOwner(f *os.File, old fs.FileInfo) {
	st, ok := old.Sys().(*syscall.Stat_t)
	if !ok || (int(st.Uid) == os.Geteuid() && int(st.Gid) == os.Getegid()) {
		return
	}
	if f.Chown(int(st.Uid), int(st.Gid)) != nil {
		_ = f.Chown(-1, int(st.Gid))
	}
}
