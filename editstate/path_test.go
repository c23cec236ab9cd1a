package editstate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestConfinement: names and links that lead outside are refused, those that
// lead inside work, in whatever form they come.
func TestConfinement(t *testing.T) {
	base := t.TempDir()
	root, sibling := filepath.Join(base, "ws"), filepath.Join(base, "ws-secret")
	writeFile(t, filepath.Join(root, "sub", "in.txt"), "in\n")
	writeFile(t, filepath.Join(sibling, "out.txt"), "out\n")
	link := func(target, name string) { must(t, os.Symlink(target, filepath.Join(root, name))) }
	link(sibling, "out")
	link("../ws-secret", "out-rel")
	link(filepath.Join(sibling, "out.txt"), "out.txt")
	link("../ws-secret/new.txt", "dangling-out")
	link("sub", "in")
	link(filepath.Join(root, "sub"), "in-abs")
	link("sub/new.txt", "dangling-in")
	link("loop-b", "loop-a")
	link("loop-a", "loop-b")
	link("/proc/self/environ", "environ")
	link("sub/../../ws-secret", "sly")
	must(t, os.Symlink(root, filepath.Join(base, "ws-link")))

	for _, given := range []string{root, filepath.Join(base, "ws-link")} {
		w := openWorld(t, Config{Roots: []string{given}})
		for _, path := range []string{
			"../ws-secret/out.txt", "sub/../../ws-secret/out.txt", filepath.Join(sibling, "out.txt"),
			root + "/sub/../../ws-secret/out.txt", "out/out.txt", "out-rel/out.txt", "out.txt", "out", "sly/out.txt", "dangling-out", "out/new.txt",
			"environ", "/proc/self/environ", "/etc/passwd", "~/x", "..", "/", root + "-secret/out.txt", "file://" + sibling + "/out.txt",
		} {
			if _, err := w.Read(t.Context(), path); !isCode(err, OutsideRoots) {
				t.Errorf("%s: read %s: %v", given, path, err)
			}
			if _, err := w.PlanWrite(t.Context(), path, "x"); !isCode(err, OutsideRoots) {
				t.Errorf("%s: write %s: %v", given, path, err)
			}
			if _, err := w.PlanEdit(t.Context(), path, []Edit{{Old: "o", New: "x"}}); !isCode(err, OutsideRoots) {
				t.Errorf("%s: edit %s: %v", given, path, err)
			}
			if _, _, err := w.List(t.Context(), path); !isCode(err, OutsideRoots) {
				t.Errorf("%s: list %s: %v", given, path, err)
			}
		}
		for _, path := range []string{
			"sub/in.txt", "./sub/in.txt", "sub/../sub/in.txt", "sub//in.txt", "in/in.txt", "in-abs/in.txt",
			filepath.Join(root, "sub/in.txt"), filepath.Join(base, "ws-link", "sub/in.txt"), "file://" + root + "/sub/in.txt",
		} {
			f, err := w.Read(t.Context(), path)
			if path == filepath.Join(base, "ws-link", "sub/in.txt") && given == root {
				continue // a name that the client has not given
			}
			if err != nil || f.Display != "sub/in.txt" {
				t.Errorf("%s: %s: %v", given, path, err)
			}
		}
		for path, code := range map[string]Code{"a\x00b": InvalidPath, "": InvalidPath, "loop-a": InvalidPath, "sub/in.txt/child": NotFound, "http://x/y": NotFound} {
			if _, err := w.Read(t.Context(), path); !isCode(err, code) {
				t.Errorf("%s: %q: %v", given, path, err)
			}
		}
	}
	w := openWorld(t, Config{Roots: []string{root}})
	must(t, w.write("dangling-in", "new\n"))
	if w.get("sub/new.txt") != "new\n" {
		t.Error("a link to a new file inside does not work")
	}
	entries, err := os.ReadDir(sibling)
	if err != nil || len(entries) != 1 {
		t.Errorf("something was written outside: %v", entries)
	}
}

// TestSeveralRoots: links between roots work; the first root is the current
// folder.
func TestSeveralRoots(t *testing.T) {
	base := t.TempDir()
	a, b := filepath.Join(base, "a"), filepath.Join(base, "b")
	writeFile(t, filepath.Join(a, "x"), "x\n")
	writeFile(t, filepath.Join(b, "y"), "y\n")
	must(t, os.Symlink(b, filepath.Join(a, "to-b")))
	w := openWorld(t, Config{Roots: []string{a, b}})
	for path, display := range map[string]string{"x": "x", "to-b/y": filepath.Join(b, "y"), filepath.Join(b, "y"): filepath.Join(b, "y"), "../b/y": filepath.Join(b, "y")} {
		if f, err := w.Read(t.Context(), path); err != nil || f.Display != display {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestE48: folders where files are wanted and files where folders are.
func TestE48(t *testing.T) {
	w := newWorld(t, map[string]string{"src/a": "a\n", "f.txt": "f\n"})
	wantCode(t, w.write("src", "x"), NotRegular, "src", "folder")
	wantCode(t, w.write("f.txt/child", "x"), NotFound, "f.txt", "not a folder")
	wantCode(t, w.write("new/", "x"), NotRegular)
	wantCode(t, w.edit("nope", "a", "b"), NotFound, "nope")
}

// TestP06 swaps a folder for a link to the outside while files are written,
// edited, read and listed in it: not a byte gets outside, and none comes in.
func TestP06(t *testing.T) {
	base := t.TempDir()
	root, outside := filepath.Join(base, "ws"), filepath.Join(base, "outside")
	d, link := filepath.Join(root, "d"), filepath.Join(root, "link")
	must(t, os.MkdirAll(d, 0o755))
	writeFile(t, filepath.Join(outside, "f"), "secret\n")
	must(t, os.Symlink(outside, link))
	inside, err := os.OpenRoot(d) // whatever its name
	must(t, err)
	t.Cleanup(func() { inside.Close() })
	w := openWorld(t, Config{Roots: []string{root}})
	stop, stopped := make(chan struct{}), make(chan struct{})
	swaps := 0
	go func() {
		defer close(stopped)
		for ; ; swaps++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := exchange(d, link); err != nil {
				t.Errorf("swap %d: %v", swaps, err)
				return
			}
			// Longer the folder than the link, so that calls get far.
			for wait := time.Duration(rand.IntN(20+300*(swaps%2))) * time.Microsecond; wait > 0; {
				start := time.Now()
				runtime.Gosched()
				wait -= time.Since(start)
			}
		}
	}()
	done, refused := 0, 0
	count := func(err error) {
		switch {
		case err == nil:
			done++
		case isCode(err, OutsideRoots):
			refused++
		}
	}
	for i := range 5000 {
		deep := fmt.Sprintf("d/deep%d/g", i%7)
		count(w.write("d/f", "mine\n")) // may fail, must not escape
		count(w.write(deep, "mine\n"))
		if f, err := w.Read(t.Context(), "d/f"); err == nil {
			if f.Doc.Text == "secret\n" {
				t.Fatal("the outside was read")
			}
			w.SeeAll(f)
			count(w.edit("d/f", "mine", "more of mine"))
			w.Ledger().Forget(f.Loc)
		}
		if _, entries, err := w.List(t.Context(), "d"); err == nil && len(entries) == 1 && entries[0].Name == "f" && entries[0].Size == int64(len("secret\n")) {
			t.Fatal("the outside was listed")
		}
		_ = inside.Remove("f")
		_ = inside.RemoveAll(filepath.Base(filepath.Dir(deep)))
	}
	close(stop)
	<-stopped
	if done == 0 || refused == 0 || swaps < 1000 {
		t.Errorf("no race: %d calls were done and %d refused in %d swaps", done, refused, swaps)
	}
	entries, err := os.ReadDir(outside)
	must(t, err)
	b, err := os.ReadFile(filepath.Join(outside, "f"))
	if err != nil || len(entries) != 1 || string(b) != "secret\n" {
		t.Errorf("outside there is %v, with %q (%v)", entries, b, err)
	}
}

func TestProtection(t *testing.T) {
	w := newWorld(t, nil)
	for path, want := range map[string]Protection{
		"src/main.go": Unprotected, ".gitignore": Unprotected, ".github/workflows/ci.yml": Unprotected, "README": Unprotected, ".env.example": Unprotected,
		".git/config": GitInternal, ".git/hooks/pre-commit": GitInternal, ".Git/config": GitInternal, "sub/.git/config": GitInternal, ".git": GitInternal, ".git./config": GitInternal,
		".env": Credentials, ".ENV": Credentials, ".env.local": Credentials, "keys/Id_Rsa": Credentials, ".ssh/config": Credentials, "server.pem": Credentials,
		".bashrc": StartUp, "sub/.profile": StartUp, ".config/fish/conf.d/x.fish": StartUp, ".Config/Autostart/x.desktop": StartUp,
		".vscode/tasks.json": EditorTasks, "my.code-workspace": EditorTasks, ".mcp.json": EditorTasks, ".agentd/tasks.json": OwnState,
		"GIT~1/config": GitInternal, "bare.git/hooks/x": GitInternal, "sub/.git": GitInternal, ".git /config": GitInternal, "a.git": GitInternal,
		"fish/x": Unprotected, ".vscode": Unprotected, "config/gh/x": Unprotected, "id_rsa.pub": Unprotected, "prod.env": Credentials, "terraform.tfstate": Credentials, ".tmux.conf": StartUp, ".cargo/config.toml": EditorTasks, "key": Unprotected, ".gitattributes": Unprotected,
	} {
		loc, err := w.Resolve(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if have := w.Protection(loc); have != want {
			t.Errorf("%s: %q, want %q", path, have, want)
		}
	}
}

func FuzzConfinement(f *testing.F) {
	f.Add("../x", "..")
	f.Add("a/../../b", "/etc")
	f.Add("l/x", "../../outside")
	f.Fuzz(func(t *testing.T, path, target string) {
		base, err := os.MkdirTemp("", "confine")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(base)
		root := filepath.Join(base, "ws")
		if err := os.MkdirAll(filepath.Join(root, "a"), 0o755); err != nil {
			t.Fatal(err)
		}
		_ = os.Symlink(target, filepath.Join(root, "l"))
		h := NewHost("")
		defer h.Close()
		w, err := h.Open(Config{Roots: []string{root}})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		loc, err := w.Resolve(path)
		if err != nil {
			return
		}
		real, err := filepath.EvalSymlinks(root)
		if err != nil {
			t.Fatal(err)
		}
		if p := loc.Path(); p != real && !strings.HasPrefix(p, real+"/") {
			t.Fatalf("%q with a link to %q leads to %s", path, target, p)
		}
		if at, err := filepath.EvalSymlinks(loc.Path()); err == nil && at != real && !strings.HasPrefix(at, real+"/") {
			t.Fatalf("%q with a link to %q is really %s", path, target, at)
		}
	})
}

// TestProtectionAbove: a workspace inside a protected folder is no way around
// the protection.
func TestProtectionAbove(t *testing.T) {
	for dir, want := range map[string]Protection{
		".ssh": Credentials, ".ssh/keys": Credentials, ".git": GitInternal, ".git/hooks": GitInternal, ".aws": Credentials,
		".vscode/extensions/mine": Unprotected, "bare.git": Unprotected, "src": Unprotected,
	} {
		root := filepath.Join(t.TempDir(), dir)
		must(t, os.MkdirAll(root, 0o755))
		w := openWorld(t, Config{Roots: []string{root}})
		loc, err := w.Resolve("config")
		must(t, err)
		if have := w.Protection(loc); have != want {
			t.Errorf("%s: %q, want %q", dir, have, want)
		}
	}
}

// TestForms: names in other Unicode forms and of other systems.
func TestForms(t *testing.T) {
	const composed, decomposed = "caf\u00e9.txt", "cafe\u0301.txt"
	w := newWorld(t, map[string]string{decomposed: "x\n", "dir-\u1112\u1161\u11ab/f": "y\n", `odd\name`: "z\n"})
	for ask, real := range map[string]string{composed: decomposed, decomposed: decomposed, "dir-\ud55c/f": "dir-\u1112\u1161\u11ab/f", `odd\name`: `odd\name`} {
		f, err := w.Read(t.Context(), ask)
		if err != nil || f.Display != real {
			t.Errorf("%q: %v", ask, err)
		}
	}
	w.see(composed)
	must(t, w.edit(composed, "x", "changed"))
	must(t, w.write("new-"+composed, "n\n"))
	if w.get(decomposed) != "changed\n" || w.get("new-"+composed) != "n\n" {
		t.Error("a file has another name than it was given")
	}
	w.put(composed, "another\n") // now each name means its own
	if f := w.see(composed); f.Display != composed {
		t.Errorf("%q", f.Display)
	}
	for _, path := range []string{`C:\Windows\x`, `C:/x`, `\\server\share\x`, `\\?\C:\x`, `src\main.go`, `~root/x`, `~nobody`} {
		wantCode(t, w.write(path, "x"), InvalidPath, path)
	}
}

func TestWindowsRefuses(t *testing.T) {
	for _, bad := range []string{"nul", "sub/CON", "aux.txt", "com1", "LPT9.log", "CONIN$", "nul .txt", "f.txt:stream", "f::$DATA", ".git./config", "a /b", "x.", "a*b", "a?", `a"b`} {
		if windowsRefuses(bad) == "" {
			t.Errorf("%q passes", bad)
		}
	}
	for _, good := range []string{".", "src/main.go", "console.log", "com10", "nullable.go", "a b/c d.txt", ".gitignore", "aux2", "auxiliary/x", "lptx"} {
		if why := windowsRefuses(good); why != "" {
			t.Errorf("%q: %s", good, why)
		}
	}
}
