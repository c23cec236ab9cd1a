package search

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

func TestGlob(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.ts": "", "b.tsx": "", "c.go": "", "src/d.ts": "", "src/deep/e.ts": "",
		".github/workflows/ci.yml": "", ".git/config": "", "x.yml": "",
		"app/[id]/page.tsx": "", "app/[id]/[slug].tsx": "", "app/i/page.tsx": "", "only/folders/here/f": "",
	})
	for pattern, want := range map[string]string{
		"**/*.{ts,tsx}":       "a.ts\napp/[id]/[slug].tsx\napp/[id]/page.tsx\napp/i/page.tsx\nb.tsx\nsrc/d.ts\nsrc/deep/e.ts",
		"*.go":                "c.go",
		"./*.go":              "c.go",
		"**/*.yml":            ".github/workflows/ci.yml\nx.yml",
		".github/**":          ".github/workflows/ci.yml",
		".github/":            ".github/workflows/ci.yml",
		"**/ci.yml":           ".github/workflows/ci.yml",
		"src/**/*.ts":         "src/d.ts\nsrc/deep/e.ts",
		"src/*.ts":            "src/d.ts",
		"src/d.ts":            "src/d.ts",
		"src/[c-e].t?":        "src/d.ts",
		"app/[id]/page.tsx":   "app/[id]/page.tsx",
		"app/[id]/[slug].tsx": "app/[id]/[slug].tsx",
		w.dir + "/src/*.ts":   "src/d.ts",
		"nothing/here/*":      "no files match nothing/here/* in the workspace",
		"e.ts":                "no files match e.ts in the workspace; 1 file below match **/e.ts",
		"only/*":              "no files match only/* in the workspace; folders do: only/folders/",
		"src/../src/d.ts":     "src/d.ts",
	} {
		w.want(w.glob(pattern), want)
	}
}

func TestGlobErrors(t *testing.T) {
	w := newWorld(t, map[string]string{"a.ts": ""})
	for pattern, want := range map[string]string{
		"*.{ts":      "not a valid glob",
		"[a":         "not a valid glob",
		"!*.ts":      "cannot begin with !",
		"!(a|b).ts":  "extended glob",
		"+(a|b).ts":  "extended glob",
		"a{1..3}.ts": "sequence",
		"**.ts":      "** is a part of a name",
		"*/../../x":  "cannot have ..",
		"../*":       "outside the workspace",
		"/etc/*":     "outside the workspace",
		"~/*":        "outside the workspace",
		"a\x00b":     "NUL",
	} {
		r := w.call("glob_search", args{"pattern": pattern})
		if r.Status != tools.Failed {
			t.Errorf("pattern %q: %s %q, want an error", pattern, r.Status, r.Text)
		}
		w.wantIn(r.Text, want)
	}
	r := w.call("glob_search", args{"pattern": "*", "path": "gone"})
	if r.Error == nil || r.Error.Code != tools.CodeNotFound {
		t.Errorf("a missing path: %q", r.Text)
	}
}

func TestNoiseAndIgnored(t *testing.T) { // B7
	w := newWorld(t, map[string]string{
		"node_modules/m/i.js": "hit", "node_modules/m/dist/j.js": "hit", "dist/k.js": "hit", "src/l.js": "hit",
	})
	w.want(w.glob("**/*.js"), "src/l.js\n[not searched: dist, node_modules; name a folder as path to search it]")
	w.want(w.glob("node_modules/**/*.js"), "node_modules/m/dist/j.js\nnode_modules/m/i.js")
	w.want(w.grep(args{"pattern": "hit", "path": "node_modules", "output": "files"}), "node_modules/m/dist/j.js\nnode_modules/m/i.js\n[2 files]")
	w.want(w.grep(args{"pattern": "hit", "path": "dist"}), "dist/k.js:1:hit")
	// Where an ignore file says what is generated, dist is a name like others.
	w.write(".gitignore", "*.log\nbuild/\n")
	w.write("build/o.js", "hit")
	w.write("p.log", "hit")
	w.want(w.glob("**/*.{js,log}"), "dist/k.js\nsrc/l.js\n[not searched: node_modules; name a folder as path to search it]")
	w.want(w.grep(args{"pattern": "hit", "path": "build"}), "build/o.js:1:hit")
	w.want(w.grep(args{"pattern": "hit", "path": "p.log"}), "p.log:1:hit")
	w.wantIn(w.grep(args{"pattern": "no such text"}), "what git ignores was left out")
}

func TestSearchIgnoresSpecialFiles(t *testing.T) {
	w := newWorld(t, map[string]string{"a": "hit"})
	makeFIFO(t, filepath.Join(w.dir, "pipe"))
	if err := os.Symlink("pipe", filepath.Join(w.dir, "piped")); err != nil {
		t.Fatal(err)
	}
	w.want(w.grep(args{"pattern": "hit"}), "a:1:hit")
	w.want(w.glob("*"), "a")
	w.wantIn(w.grep(args{"pattern": "hit", "path": "pipe"}), "pipe is a named pipe")
}
