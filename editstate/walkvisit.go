package editstate

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

const maxNoise = 20

// noiseFolders hold what tools have put there: nobody looks for anything in
// them unless they say so. With true, the name is also one that people give to
// folders of sources (cmd/dist in Go's own tree): it counts only where no
// ignore file says what is generated.
var noiseFolders = map[string]bool{
	"node_modules": false, "bower_components": false, "__pycache__": false, ".venv": false, "venv": false,
	".tox": false, ".nox": false, ".mypy_cache": false, ".pytest_cache": false, ".ruff_cache": false,
	".gradle": false, ".next": false, ".nuxt": false, ".turbo": false, ".parcel-cache": false,
	".hg": false, ".svn": false, ".jj": false, ".terraform": false,
	"dist": true, "target": true, "coverage": true,
}

// visitFolder lists d and makes tasks of what is in it. It lets d go.
func (k *walk) visitFolder(d *openDir) {
	defer d.release()
	entries, err := d.entries()
	if err != nil {
		k.unreadable()
	}
	k.readRules(d, entries)
	abs := k.path(d.rel)
	var files []fs.DirEntry
	var folders []walkTask
	ignored := 0
	for _, e := range entries {
		switch t := e.Type(); {
		case t.IsDir():
			enter, why := k.enters(d, abs, e.Name())
			if enter {
				folders = append(folders, walkTask{parent: d, name: e.Name()})
			}
			ignored += why
		case t.IsRegular() || k.opt.Links && t&fs.ModeSymlink != 0:
			if d.ignore != nil && d.ignore.ignored(abs, e.Name(), false) {
				ignored++
				continue
			}
			files = append(files, e)
		}
	}
	k.push(d, files, folders, ignored)
}

func (k *walk) push(d *openDir, files []fs.DirEntry, folders []walkTask, ignored int) {
	for part := range slices.Chunk(files, batch) {
		folders = append(folders, walkTask{dir: d, files: part})
	}
	d.refs.Add(int32(len(folders)))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sum.Ignored += ignored
	k.tasks = append(k.tasks, folders...)
	if len(folders) > 0 {
		k.more.Broadcast()
	}
}

// enters decides about a folder; ignored is 1 if an ignore file leaves it out.
func (k *walk) enters(d *openDir, abs, name string) (enter bool, ignored int) {
	if name == ".git" || k.start.root.dir == string(filepath.Separator) && unsafeTree(filepath.Join(k.start.rel, d.rel, name)) {
		return false, 0
	}
	rel := join(d.rel, name)
	if k.opt.Enter != nil && !k.opt.Enter(rel, name) {
		return false, 0
	}
	if slices.Contains(k.opt.Named, name) {
		return true, 0
	}
	if d.ignore != nil && d.ignore.ignored(abs, name, true) {
		return false, 1
	}
	sources, noise := noiseFolders[name]
	if !noise || k.named || sources && d.ignore.anyFile() {
		return true, 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.sum.Noise) < maxNoise {
		k.sum.Noise = append(k.sum.Noise, k.w.DisplayPath(filepath.Join(k.dir, filepath.FromSlash(rel))))
	}
	return false, 0
}

func (k *walk) visitFile(d *openDir, e fs.DirEntry, visit func(*WalkFile)) {
	f := &WalkFile{Rel: join(d.rel, e.Name()), Name: e.Name(), walk: k, dir: d}
	if k.opt.Want != nil && !k.opt.Want(f.Rel, f.Name) {
		return
	}
	if e.Type()&fs.ModeSymlink != 0 {
		f.IsLink = true
		if !k.linksToFile(f) {
			return
		}
	}
	visit(f)
}

// linksToFile reports whether a link leads to a regular file of the workspace.
func (k *walk) linksToFile(f *WalkFile) bool {
	loc, err := k.w.Resolve(f.Path())
	if err != nil {
		return false
	}
	fi, err := loc.root.os.Lstat(loc.rel)
	return err == nil && fi.Mode().IsRegular()
}

// path is the absolute path of a place below the start, as ignore rules take
// it: with slashes, and "" for the root of the file system.
func (k *walk) path(rel string) string {
	dir := strings.TrimSuffix(filepath.ToSlash(k.dir), "/")
	if rel == "" {
		return dir
	}
	return dir + "/" + rel
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// isNoiseInside reports whether the start was named inside a noise folder:
// then no folder below it is noise.
func (k *walk) isNoiseInside() bool {
	for _, part := range strings.Split(filepath.ToSlash(k.start.rel), "/") {
		if _, noise := noiseFolders[part]; noise {
			return true
		}
	}
	return false
}

// IsFolder reports whether path names a folder of the workspace.
func (w *Workspace) IsFolder(path string) bool {
	loc, err := w.Resolve(path)
	if err != nil {
		return false
	}
	fi, err := loc.root.os.Lstat(loc.rel)
	return err == nil && fi.IsDir()
}
