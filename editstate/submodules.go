package editstate

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
)

// Bounds for looking at submodules.
const (
	mostSubmodules = 200
	maxIndex       = 64 << 20
)

// SubmoduleConfig is the text of the configurations of the submodules of the
// repository that holds the folder l, and of theirs. complete is false if they
// are too many, or if they cannot be told.
func (w *Workspace) SubmoduleConfig(l Loc) (text string, complete bool) {
	top, ok := findRepo(l.Path())
	if !ok {
		return "", true
	}
	var b []byte
	repos := []gitRepo{top}
	for i := 0; i < len(repos); i++ {
		if i > mostSubmodules {
			return string(b), false
		}
		r := repos[i]
		if i > 0 {
			b = append(append(b, '\n'), readSmall(filepath.Join(r.common, "config"))...)
			b = append(append(b, '\n'), readSmall(filepath.Join(r.gitDir, "config.worktree"))...)
		}
		links, ok := gitlinks(filepath.Join(r.gitDir, "index"))
		if !ok {
			return string(b), false
		}
		for _, link := range links {
			sub, ok := repoAt(filepath.Join(r.top, filepath.FromSlash(link)))
			if ok && !slices.ContainsFunc(repos, func(o gitRepo) bool { return o.top == sub.top }) {
				repos = append(repos, sub)
			}
		}
	}
	return string(b), true
}

// gitlinks finds the submodules in an index of git. Its entries are: 24 bytes,
// the mode, 12 bytes, the hash, the flags, and the path up to a NUL. The mode is
// looked for by itself; what looks like one by chance leads to no repository. ok
// is false for an index with submodules that is written in another way.
func gitlinks(index string) (paths []string, ok bool) {
	f, err := os.OpenFile(index, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxIndex {
		return nil, false
	}
	b := make([]byte, fi.Size())
	if n, err := f.Read(b); err != nil || n != len(b) || n < 12 {
		return nil, len(b) == 0
	}
	const hash = 20
	gitlink := []byte{0, 0, 0xe0, 0}
	for at := 0; ; at += len(gitlink) {
		i := bytes.Index(b[at:], gitlink)
		if i < 0 {
			return paths, true
		}
		at += i
		if binary.BigEndian.Uint32(b[4:]) > 3 { // the paths are not whole
			return nil, false
		}
		name := at + 4 + 12 + hash + 2
		if name >= len(b) {
			return paths, true
		}
		if b[name-2]&0x40 != 0 { // more flags
			name += 2
		}
		if end := bytes.IndexByte(b[min(name, len(b)):], 0); end > 0 {
			paths = append(paths, string(b[name:name+end]))
		}
		if len(paths) > mostSubmodules {
			return paths, false
		}
	}
}
