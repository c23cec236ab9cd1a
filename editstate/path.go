package editstate

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxLinks bounds the symbolic links followed for one path, as Linux does.
const maxLinks = 40

// Loc is a place inside one root of a workspace. Its path holds no symbolic
// links: two names of one file have the same Loc. The file need not exist.
type Loc struct {
	root *root
	rel  string // below root, with the system's separators; "." is the root
}

// Path is the absolute real path.
func (l Loc) Path() string { return filepath.Join(l.root.dir, l.rel) }

// URI is the file: URI of Path.
func (l Loc) URI() string { return PathToURI(l.Path()) }

// Display shows l as the model and the person see it.
func (w *Workspace) Display(l Loc) string { return w.DisplayPath(l.Path()) }

// Resolve finds the place that path names: relative to the first root,
// absolute inside any root, "~/..." or a file: URI. Links are followed, also
// for the last component; a name that exists in another Unicode form only is
// that one (macOS makes no difference, and models write composed text); a path that leaves the roots, by "..", by a link or
// by its name, is an OutsideRoots error.
func (w *Workspace) Resolve(path string) (Loc, error) {
	if path == "" {
		return Loc{}, &Error{Code: InvalidPath, Message: "the path is empty", Hint: "Give a path relative to the workspace, e.g. src/main.go."}
	}
	if strings.ContainsRune(path, 0) {
		return Loc{}, &Error{Code: InvalidPath, Path: path, Message: fmt.Sprintf("the path %q holds a NUL character", path), Hint: "Give the path without it."}
	}
	local, err := localPath(path)
	if err != nil {
		return Loc{}, err
	}
	if !filepath.IsAbs(local) {
		local = filepath.Join(w.roots[0].dir, local)
	}
	r, rel, ok := w.rootOf(filepath.Clean(local))
	if !ok {
		return Loc{}, w.outside(path)
	}
	l, err := w.follow(r, rel)
	if err == nil {
		err = l.root.check()
	}
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Path = path
			return Loc{}, e
		}
		return Loc{}, w.outside(path)
	}
	if l.root.dir == string(filepath.Separator) && unsafeTree(l.rel) {
		return Loc{}, &Error{Code: OutsideRoots, Path: path, Message: fmt.Sprintf("%s belongs to the system, not to the workspace", path)}
	}
	return l, checkForm(path, l)
}

func (w *Workspace) outside(path string) *Error {
	return &Error{Code: OutsideRoots, Path: path,
		Message: fmt.Sprintf("%s is outside the workspace", path),
		Hint:    "Only files below " + strings.Join(w.Roots(), " and ") + " can be used."}
}

// localPath turns file: URIs and "~" into paths of this system.
func localPath(path string) (string, error) {
	if strings.HasPrefix(path, "file:") {
		return URIToPath(path)
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", &Error{Code: InvalidPath, Path: path, Message: "the home folder is not known", Err: err}
		}
		return filepath.Join(home, path[1:]), nil
	}
	return filepath.FromSlash(path), nil
}

// rootOf finds the innermost root that holds the clean absolute path, by its
// real name or by the name that the client gave it.
func (w *Workspace) rootOf(abs string) (*root, string, bool) {
	var best *root
	var bestRel string
	for _, r := range w.roots {
		for _, dir := range []string{r.dir, r.given} {
			if rel, ok := below(dir, abs); ok && (best == nil || len(rel) < len(bestRel)) {
				best, bestRel = r, rel
			}
		}
	}
	if best == nil {
		return w.readOnlyRoot(abs)
	}
	return best, bestRel, true
}

var errEscapes = errors.New("the path leaves the workspace")

// follow resolves every symbolic link in rel. os.Root refuses links that leave
// the root and all absolute ones; links between roots and absolute links to a
// place inside are fine for us, so we resolve them and give os.Root a path
// without links. It still guards the last step: a link put in place after this
// look cannot lead outside.
func (w *Workspace) follow(r *root, rel string) (Loc, error) {
	rest := splitPath(rel)
	done := "."
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		next := filepath.Join(done, name)
		fi, err := r.os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			if like := r.likeName(done, name); like != "" {
				rest = append([]string{like}, rest...)
				continue
			}
			return Loc{r, filepath.Join(append([]string{next}, rest...)...)}, nil
		}
		if err != nil {
			if isNotDir(err) {
				return Loc{}, &Error{Code: NotFound, Message: fmt.Sprintf("%s is a file, not a folder", w.DisplayPath(filepath.Join(r.dir, done)))}
			}
			return Loc{}, &Error{Code: IO, Message: fmt.Sprintf("%s cannot be used: %s", w.DisplayPath(filepath.Join(r.dir, next)), errText(err)), Err: err}
		}
		if fi.Mode()&fs.ModeSymlink == 0 {
			if len(rest) > 0 && !fi.IsDir() {
				return Loc{}, &Error{Code: NotFound, Message: fmt.Sprintf("%s is a file, not a folder", w.DisplayPath(filepath.Join(r.dir, next)))}
			}
			done = next
			continue
		}
		if links++; links > maxLinks {
			return Loc{}, &Error{Code: InvalidPath, Message: w.DisplayPath(filepath.Join(r.dir, next)) + " leads through too many symbolic links, maybe in a circle"}
		}
		target, err := r.os.Readlink(next)
		if err != nil {
			return Loc{}, &Error{Code: IO, Message: errText(err), Err: err}
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(r.dir, done, target)
		}
		tr, trel, ok := w.rootOf(filepath.Clean(target))
		if !ok {
			return Loc{}, errEscapes
		}
		r, done = tr, "."
		rest = append(splitPath(trel), rest...)
	}
	return Loc{r, done}, nil
}

func splitPath(rel string) []string {
	if rel == "." || rel == "" {
		return nil
	}
	return strings.Split(rel, string(filepath.Separator))
}

// unsafeTree reports whether a path below "/" belongs to the kernel: files
// there are not files, and /proc shows the daemon's own memory. /dev/shm is an
// ordinary folder.
func unsafeTree(rel string) bool {
	first, rest, _ := strings.Cut(filepath.ToSlash(rel), "/")
	second, _, _ := strings.Cut(rest, "/")
	return first == "proc" || first == "sys" || first == "dev" && second != "shm"
}

// PathToURI makes a file: URI of an absolute path.
func PathToURI(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") { // C:/x
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// URIToPath makes a path of a file: URI.
func URIToPath(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || (u.Host != "" && u.Host != "localhost") || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return "", &Error{Code: InvalidPath, Path: uri, Message: fmt.Sprintf("%q is not the URI of a local file", uri)}
	}
	p := u.Path
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:]
	}
	return filepath.FromSlash(p), nil
}
