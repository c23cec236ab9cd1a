//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"testing"
)

// The configuration of a submodule holds while git reads the repository around
// it, and no setting of the environment changes that.
func TestSubmodulesRunNothing(t *testing.T) {
	for _, config := range []string{"[core]\n\tfsmonitor = touch pwn\n", "[filter \"x\"]\n\tclean = touch pwn\n", "[diff \"x\"]\n\ttextconv = touch pwn\n"} {
		for _, absorbed := range []bool{false, true} {
			w := newWorld(t)
			w.repository()
			w.write("sub/a.txt", "one\n")
			w.git("init", "-q", "sub")
			w.git("-C", "sub", "add", ".")
			w.git("-C", "sub", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x")
			w.git("add", "sub")
			if absorbed {
				w.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n")
				w.git("submodule", "absorbgitdirs")
			}
			if v := w.judge("git status"); v.level != safe {
				t.Fatalf("with an ordinary submodule: %s", v.reason)
			}
			file := filepath.Join(w.dir, "sub/.git/config")
			if absorbed {
				file = filepath.Join(w.dir, ".git/modules/sub/config")
			}
			f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteString(config)
			if f.Close(); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"git status", "git diff", "git log -p"} {
				if w.judge(command).level == safe {
					t.Errorf("%s is safe with a submodule that has %q", command, config)
				}
			}
		}
	}
}
