package editstate

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// outerRules gives the rules that hold at the start from outside of it: the
// user's own, the repository's, and those of the folders above up to the top
// of the repository, or of the root where there is no repository. They are
// dropped if they ignore the start itself or all that is in it: whoever names
// an ignored folder wants to see it.
func (k *walk) outerRules() *ignoreScope {
	start := k.path("")
	repo, ok := findRepo(k.dir)
	top := repo.top
	if !ok {
		top = k.start.root.dir
	}
	dir := strings.TrimSuffix(filepath.ToSlash(top), "/")
	s := k.userRules(repo, ok, dir)
	for dir != start {
		s = s.inner(dir, readSmall(filepath.Join(filepath.FromSlash(dir+"/"), ".gitignore")))
		name, _, _ := strings.Cut(start[len(dir)+1:], "/")
		if s.ignored(dir, name, true) {
			return nil
		}
		dir += "/" + name
	}
	if r := s.decides(start, "\x00", false); r != nil && r.path && !r.negated {
		return nil // "build/**"
	}
	return s
}

// userRules gives the rules that lie outside of the tree, as if they were in
// a file in the folder top, written as k.path writes it.
func (k *walk) userRules(repo gitRepo, inRepo bool, top string) *ignoreScope {
	var s *ignoreScope
	if path := excludesFile(repo); path != "" {
		s = s.inner(top, readSmall(path))
	}
	if inRepo {
		s = s.inner(top, readSmall(filepath.Join(repo.common, "info", "exclude")))
	}
	for r := s; r != nil; r = r.outer {
		r.user = true
	}
	return s
}

// readRules adds the rules that a folder brings with it. A repository inside
// another one does not know the rules of the outer one.
func (k *walk) readRules(d *openDir, entries []fs.DirEntry) {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && e.Type()&fs.ModeSymlink == 0 })
	}
	abs := k.path(d.rel)
	if d.rel != "" && has(".git") {
		if repo, ok := repoAt(filepath.FromSlash(abs)); ok {
			d.ignore = k.userRules(repo, true, abs)
		}
	}
	if has(".gitignore") {
		if text, err := readWhole(d.folder, ".gitignore", maxSmall); err == nil {
			d.ignore = d.ignore.inner(abs, text)
		}
	}
}

// readWhole reads a small file of an open folder.
func readWhole(d folder, name string, limit int) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var b []byte
	for len(b) < limit {
		b = slices.Grow(b, 4096)
		n, err := f.read(b[len(b):cap(b)])
		if err != nil || n == 0 {
			return b, err
		}
		b = b[:len(b)+n]
	}
	return b[:limit], nil
}
