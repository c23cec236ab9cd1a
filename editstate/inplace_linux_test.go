package editstate

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user without rights of its own.
const nobody = 65534

// asUser runs the test t again in a process of a user that is not root, who
// finds dir as the test left it, and reports whether this is that process.
func asUser(t *testing.T, dir string) (inside bool) {
	t.Helper()
	if os.Getenv("AGENTD_TEST_USER") != "" || os.Geteuid() != 0 {
		return true
	}
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		must(t, os.Chmod(d, 0o755|fileMode(t, d)&0o022))
	}
	bin := filepath.Join(filepath.Dir(dir), "test-binary")
	copyFile(t, "/proc/self/exe", bin)
	cmd := exec.Command(bin, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "AGENTD_TEST_USER="+dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: true}}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("as another user: %v\n%s", err, out)
	}
	return false
}

func copyFile(t *testing.T, from, to string) {
	in, err := os.Open(from)
	must(t, err)
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, errors.Join(err, out.Close()))
}

// TestInPlace: where a new file cannot take the place of the old one without a
// loss, the old one is overwritten, and the result says so.
func TestInPlace(t *testing.T) {
	dir := os.Getenv("AGENTD_TEST_USER")
	own := os.Geteuid() // whom the process that edits runs as
	if own == 0 {
		own = nobody
	}
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "ws")
		for name, mode := range map[string]os.FileMode{"closed/f": 0o640, "open/theirs": 0o664, "open/mine": 0o644, "open/forbidden": 0o644, "closed/twice": 0o644} {
			path := filepath.Join(dir, name)
			writeFile(t, path, "one\ntwo\n")
			must(t, os.Chmod(path, mode))
			if os.Geteuid() == 0 {
				must(t, os.Chown(path, own, own))
			}
		}
		must(t, os.Link(filepath.Join(dir, "closed/twice"), filepath.Join(dir, "closed/twin")))
		if os.Geteuid() == 0 {
			must(t, os.Chown(filepath.Join(dir, "open/theirs"), 1234, own))
			must(t, os.Chown(filepath.Join(dir, "open/forbidden"), 1234, own))
			must(t, os.Chmod(filepath.Join(dir, "open"), 0o777))
		}
		must(t, os.Chmod(filepath.Join(dir, "closed"), 0o555))
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "closed"), 0o755) })
	}
	if !asUser(t, dir) {
		return
	}
	w := openWorld(t, Config{Roots: []string{dir}})
	edit := func(name, old, repl string) (*Applied, error) {
		w.see(name)
		c, err := w.PlanEdit(t.Context(), name, []Edit{{Old: old, New: repl}})
		if err != nil {
			return nil, err
		}
		return w.Apply(t.Context(), c, Approval{})
	}
	done, err := edit("closed/f", "two", strings.Repeat("longer ", 5000))
	must(t, err)
	if !strings.Contains(strings.Join(done.Notes, " "), "in place") {
		t.Errorf("notes: %q", done.Notes)
	}
	_, err = edit("closed/f", strings.Repeat("longer ", 5000), "2")
	must(t, err)
	if have := w.get("closed/f"); have != "one\n2\n" || fileMode(t, filepath.Join(dir, "closed/f")) != 0o640 {
		t.Errorf("%q", have)
	}
	if done, err = edit("open/mine", "one", "1"); err != nil || len(done.Notes) > 0 {
		t.Errorf("%v %v", done, err)
	}
	if _, err = edit("closed/twice", "one", "1"); err == nil || w.get("closed/twin") != "one\ntwo\n" {
		t.Errorf("a file with other names was overwritten: %v", err)
	}
	wantCode(t, err, Refused, "as it was")
	wantCode(t, w.write("closed/new/f", "x"), Refused)
	if os.Getenv("AGENTD_TEST_USER") == "" {
		return // the files of another user are made by root alone
	}
	done, err = edit("open/theirs", "one", "1")
	must(t, err)
	fi, err := os.Stat(filepath.Join(dir, "open/theirs"))
	must(t, err)
	if uid := fi.Sys().(*syscall.Stat_t).Uid; uid != 1234 || !strings.Contains(strings.Join(done.Notes, " "), "its owner") {
		t.Errorf("owner %d, notes %q", uid, done.Notes)
	}
	_, err = edit("open/forbidden", "one", "1")
	wantCode(t, err, Refused, "read-only")
	if entries, _ := os.ReadDir(filepath.Join(dir, "open")); len(entries) != 3 {
		t.Errorf("something is left over: %v", entries)
	}
}

// TestOverwriteFails: a file that cannot grow gets its old content back.
func TestOverwriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	writeFile(t, path, strings.Repeat("old\n", 100))
	var was syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	old := &File{Display: "f", Bytes: []byte(strings.Repeat("old\n", 100))}
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: was.Max}))
	err = overwrite(f, old, []byte(strings.Repeat("new!\n", 1000)))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
	b, rerr := os.ReadFile(path)
	if !errors.Is(err, syscall.EFBIG) || rerr != nil || string(b) != string(old.Bytes) {
		t.Errorf("%v, and the file is %d bytes", err, len(b))
	}
	_, err = f.Seek(0, io.SeekStart)
	must(t, err)
	old.Bytes = []byte("something else")
	wantCode(t, overwrite(f, old, []byte("x")), Stale)
}

// TestOneNameOnly: a new file where files have one name each, as on FAT.
func TestOneNameOnly(t *testing.T) {
	dir := t.TempDir()
	r, err := os.OpenRoot(dir)
	must(t, err)
	defer r.Close()
	n := newNamed(r, dir, &staging{})
	f, err := n.create(0o644)
	must(t, err)
	_, err = f.WriteString("new\n")
	must(t, errors.Join(err, f.Close()))
	must(t, n.placeNew("f"))
	if b, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(b) != "new\n" {
		t.Errorf("%q %v", b, err)
	}
	n = newNamed(r, dir, &staging{})
	f, err = n.create(0o644)
	must(t, errors.Join(err, f.Close()))
	if err := n.placeNew("f"); !errors.Is(err, os.ErrExist) {
		t.Error(err)
	}
	n.discard()
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}

// TestMountPoint: a file that is a mount point cannot be replaced, also not from
// the staging folder, and is overwritten.
func TestMountPoint(t *testing.T) {
	dir, staging := filepath.Join(t.TempDir(), "ws"), filepath.Join(t.TempDir(), "staging")
	path, source := filepath.Join(dir, "f"), filepath.Join(t.TempDir(), "source")
	writeFile(t, path, "nothing\n")
	writeFile(t, source, "one\n")
	if err := syscall.Mount(source, path, "", syscall.MS_BIND, ""); err != nil {
		t.Log("nothing can be mounted here: ", err)
		return
	}
	defer syscall.Unmount(path, syscall.MNT_DETACH)
	h := NewHost(staging)
	defer h.Close()
	ws, err := h.Open(Config{Roots: []string{dir}})
	must(t, err)
	defer ws.Close()
	w := &world{t, ws, dir}
	w.see("f")
	c, err := w.PlanEdit(t.Context(), "f", []Edit{{Old: "one", New: "two"}})
	must(t, err)
	done, err := w.Apply(t.Context(), c, Approval{})
	must(t, err)
	if b, err := os.ReadFile(source); err != nil || string(b) != "two\n" || len(done.Notes) != 1 || !strings.Contains(done.Notes[0], "overwritten in place") {
		t.Errorf("%q %v %q", b, err, done.Notes)
	}
	if left, err := os.ReadDir(staging); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}
