package editstate

import (
	"os"
	"path/filepath"
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
