package editstate

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// CredentialsBelow looks for a file that usually holds credentials in the folder
// l and below, and gives the first one as displayed; "" if there is none. hidden
// looks at names with a leading dot, too. A link that links picks is given, too,
// if it leads to one or out of the workspace. complete is false if more than most entries would have
// to be looked at. Links are not followed, and nothing is opened.
func (w *Workspace) CredentialsBelow(l Loc, hidden bool, links func(name string) bool, most int) (display string, complete bool) {
	seen, complete := 0, true
	_ = fs.WalkDir(l.root.os.FS(), filepath.ToSlash(l.rel), func(p string, d fs.DirEntry, err error) error {
		switch name := path.Base(p); {
		case err != nil:
			return nil // it cannot be read by others either
		case p != filepath.ToSlash(l.rel) && !hidden && strings.HasPrefix(name, "."), d.IsDir() && name == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if seen++; seen > most {
			complete = false
			return errEnough
		}
		at := Loc{l.root, filepath.FromSlash(p)}
		bad := !d.IsDir() && w.Protection(at) == Credentials
		if links != nil && d.Type()&fs.ModeSymlink != 0 && links(path.Base(p)) {
			to, err := w.Resolve(at.Path())
			bad = bad || err != nil || w.Protection(to) == Credentials
		}
		if bad {
			display = w.Display(at)
			return errEnough
		}
		return nil
	})
	return display, complete
}

var errEnough = errors.New("enough")
