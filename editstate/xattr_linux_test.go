package editstate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAttributes: extended attributes and the owner stay with an edited file.
func TestAttributes(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\n"})
	path := filepath.Join(w.dir, "f")
	err := unix.Setxattr(path, "user.note", []byte("keep me"), 0)
	has := err == nil // not every file system has them
	if os.Geteuid() == 0 {
		must(t, os.Chown(path, 1234, 5678))
	}
	w.see("f")
	c, err := w.PlanEdit(t.Context(), "f", []Edit{{Old: "one", New: "two"}})
	must(t, err)
	done, err := w.Apply(t.Context(), c, Approval{})
	must(t, err)
	if len(done.Notes) > 0 {
		t.Error(done.Notes)
	}
	var st unix.Stat_t
	must(t, unix.Stat(path, &st))
	if os.Geteuid() == 0 && (st.Uid != 1234 || st.Gid != 5678) {
		t.Errorf("the owner is %d:%d", st.Uid, st.Gid)
	}
	value := make([]byte, 64)
	if n, err := unix.Getxattr(path, "user.note", value); has && (err != nil || string(value[:n]) != "keep me") {
		t.Errorf("the attribute is %q (%v)", value[:n], err)
	}
}

// TestAccessList: an access control list stays with an edited file, and with it
// the mode, whose group bits are the list's mask.
func TestAccessList(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\n"})
	path := filepath.Join(w.dir, "f")
	entry := func(tag, perm uint16, id uint32) (b []byte) {
		b = binary.LittleEndian.AppendUint16(b, tag)
		b = binary.LittleEndian.AppendUint16(b, perm)
		return binary.LittleEndian.AppendUint32(b, id)
	}
	const none = ^uint32(0)
	list := slices.Concat([]byte{2, 0, 0, 0}, // version
		entry(1, 6, none), entry(2, 4, 1234), entry(4, 0, none), entry(0x10, 4, none), entry(0x20, 0, none)) // owner, a user, group, mask, others
	err := unix.Setxattr(path, "system.posix_acl_access", list, 0)
	has := err == nil // not every file system has them
	before := fileMode(t, path)
	w.see("f")
	must(t, w.edit("f", "one", "two"))
	value := make([]byte, 1024)
	n, err := unix.Getxattr(path, "system.posix_acl_access", value)
	if has && (err != nil || !bytes.Equal(value[:n], list)) {
		t.Errorf("the list is %x (%v)", value[:max(n, 0)], err)
	}
	if have := fileMode(t, path); have != before {
		t.Errorf("mode %v, was %v", have, before)
	}
}

// TestManyAttributes: more names than fit a small buffer.
func TestManyAttributes(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\n"})
	path := filepath.Join(w.dir, "f")
	set := 0
	for i := range 30 {
		if unix.Setxattr(path, fmt.Sprintf("user.%03d-%s", i, strings.Repeat("n", 200)), []byte{byte(i)}, 0) == nil {
			set++
		}
	}
	w.see("f")
	must(t, w.edit("f", "one", "two"))
	n, err := unix.Listxattr(path, nil)
	if set > 0 && (err != nil || n < set*200) {
		t.Errorf("%d attributes were set; %d bytes of names are left (%v)", set, n, err)
	}
}

// TestFolderGivesNothing: what a folder gives to new files, its group and an
// access list, does not open an old file to others when it is edited.
func TestFolderGivesNothing(t *testing.T) {
	w := newWorld(t, map[string]string{"d/f": "one\n"})
	dir, path := filepath.Join(w.dir, "d"), filepath.Join(w.dir, "d", "f")
	must(t, os.Chmod(path, 0o640))
	if os.Geteuid() == 0 {
		must(t, os.Chown(dir, -1, 1234))
		must(t, os.Chmod(dir, 0o2775|os.ModeSetgid))
	}
	entry := func(tag, perm uint16, id uint32) (b []byte) {
		b = binary.LittleEndian.AppendUint16(b, tag)
		b = binary.LittleEndian.AppendUint16(b, perm)
		return binary.LittleEndian.AppendUint32(b, id)
	}
	const none = ^uint32(0)
	list := slices.Concat([]byte{2, 0, 0, 0}, entry(1, 7, none), entry(2, 7, 1234), entry(4, 5, none), entry(0x10, 7, none), entry(0x20, 0, none))
	if err := unix.Setxattr(dir, "system.posix_acl_default", list, 0); err != nil {
		t.Log("no access lists here:", err)
	}
	var was, is unix.Stat_t
	must(t, unix.Stat(path, &was))
	w.see("d/f")
	must(t, w.edit("d/f", "one", "two"))
	must(t, unix.Stat(path, &is))
	if is.Gid != was.Gid || is.Mode != was.Mode {
		t.Errorf("group %d, mode %o; before: %d, %o", is.Gid, is.Mode, was.Gid, was.Mode)
	}
	if n, err := unix.Getxattr(path, "system.posix_acl_access", make([]byte, 256)); err == nil {
		t.Errorf("the file has an access list of %d bytes", n)
	}
}
