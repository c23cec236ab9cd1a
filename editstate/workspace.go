// Package editstate is the file world as the model knows it: workspace roots,
// the ledger of what the model has read, the unsaved buffers of the editor, a
// watcher, and writes that lose nothing. No other package opens a file of the
// workspace.
package editstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Config describes a session's workspace.
type Config struct {
	// Roots are the folders that the session may touch; the first is its
	// current folder. They must exist. A root may be a symbolic link.
	Roots []string
	// ApplyBuffer writes a text into an unsaved editor buffer; nil when the
	// client cannot do it: edits of dirty files are then refused.
	ApplyBuffer func(ctx context.Context, e BufferEdit) (BufferResult, error)
	// ReadEditor asks the editor for its text of a file, by its real path, saved
	// or not; ErrNotInEditor if it has none. It is nil for an editor that tells
	// of its unsaved buffers by itself (Host.SetBuffer).
	ReadEditor func(ctx context.Context, path string) (string, error)
	// OnStale is told, from the watcher's goroutine, of files that changed
	// since the model read them. Paths are as displayed.
	OnStale func(paths []string)
	// Own are folders and files of agentd itself; writing them and what is
	// below them is protected.
	Own []string
	// Undo keeps what files were; nil keeps nothing.
	Undo *Undo
	// Secrets are hidden from the model: an edit can neither guess nor uncover
	// them. nil hides nothing.
	Secrets Secrets
	// ReadOnly are folders beside the roots that may be read but never
	// written, e.g. for long results. They need not exist yet.
	ReadOnly []string
}

// BufferEdit is a new text for an unsaved editor buffer.
type BufferEdit struct {
	URI         string `json:"uri"`
	BaseVersion int    `json:"baseVersion"`
	Text        string `json:"text"`
}

// BufferResult says whether the editor took a BufferEdit.
type BufferResult struct {
	Applied bool `json:"applied"`
	Version int  `json:"version"`
}

// Workspace is one session's view of its files. It is safe for concurrent use.
type Workspace struct {
	host   *Host
	cfg    Config
	roots  []*root
	ledger *Ledger
	own    []string // real paths

	mu       sync.Mutex
	readOnly map[string]*root // opened on first use
}

// root is one folder of the workspace.
type root struct {
	dir   string // real path
	given string // as the client named it, absolute
	os    *os.Root
	info  fs.FileInfo // of the folder when it was opened
	fixed bool        // may not be written
}

// check refuses a root whose folder is not where it was any more. The open
// folder would still be read and written, but not where its name says.
func (r *root) check() error {
	if fi, err := os.Lstat(r.dir); err == nil {
		if os.SameFile(fi, r.info) {
			return nil
		}
		// There are network file systems whose numbers do not last.
		if now, err := r.os.Stat("."); err == nil && os.SameFile(fi, now) {
			return nil
		}
	}
	return &Error{Code: NotFound, Path: r.dir, Message: fmt.Sprintf("the folder %s was moved, removed or replaced after the session began", r.dir),
		Hint: "Nothing in it can be used. Ask the user to open a new session."}
}

// Open makes a workspace with a ledger of its own.
func (h *Host) Open(cfg Config) (*Workspace, error) {
	if len(cfg.Roots) == 0 {
		return nil, errors.New("a workspace needs at least one root")
	}
	w := &Workspace{host: h, cfg: cfg}
	for _, p := range cfg.Own {
		w.own = append(w.own, realPath(filepath.Clean(p)))
	}
	for _, r := range cfg.Roots {
		o, err := openRoot(r)
		if err != nil {
			w.Close()
			return nil, err
		}
		w.roots = append(w.roots, o)
	}
	w.ledger = newLedger(h, func(paths []string) {
		if cfg.OnStale != nil {
			for i, p := range paths {
				paths[i] = w.DisplayPath(p)
			}
			cfg.OnStale(paths)
		}
	})
	return w, nil
}

func openRoot(given string) (*root, error) {
	if !filepath.IsAbs(given) {
		return nil, &Error{Code: InvalidPath, Path: given, Message: fmt.Sprintf("the root %q is not an absolute path", given)}
	}
	given = filepath.Clean(given)
	dir, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, &Error{Code: NotFound, Path: given, Message: fmt.Sprintf("the root %q cannot be opened: %v", given, errText(err)), Err: err}
	}
	if unsafeTree(strings.TrimPrefix(dir, string(filepath.Separator))) {
		return nil, &Error{Code: OutsideRoots, Path: given, Message: fmt.Sprintf("the root %q cannot be opened: it belongs to the system", given)}
	}
	fi, err := os.Stat(dir)
	if err == nil && !fi.IsDir() {
		err = errors.New("it is not a folder")
	}
	if err != nil {
		return nil, &Error{Code: NotFound, Path: given, Message: fmt.Sprintf("the root %q cannot be opened: %v", given, errText(err)), Err: err}
	}
	o, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &Error{Code: IO, Path: given, Message: fmt.Sprintf("the root %q cannot be opened: %v", given, errText(err)), Err: err}
	}
	// Of the open folder, which the name may not lead to any more.
	if fi, err = o.Stat("."); err != nil {
		o.Close()
		return nil, &Error{Code: IO, Path: given, Message: fmt.Sprintf("the root %q cannot be opened: %v", given, errText(err)), Err: err}
	}
	return &root{dir: dir, given: given, os: o, info: fi}, nil
}

// Close lets go of the roots, the ledger and its watches.
func (w *Workspace) Close() {
	if w.ledger != nil {
		w.ledger.close()
	}
	for _, r := range w.roots {
		r.os.Close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.readOnly {
		r.os.Close()
	}
	w.readOnly = nil
}

// readOnlyRoot finds the read-only folder that holds a clean absolute path.
func (w *Workspace) readOnlyRoot(abs string) (*root, string, bool) {
	for _, dir := range w.cfg.ReadOnly {
		rel, ok := below(dir, abs)
		if !ok {
			continue
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		r := w.readOnly[dir]
		if r == nil {
			o, err := openRoot(dir)
			if err != nil {
				return nil, "", false
			}
			o.fixed = true
			if w.readOnly == nil {
				w.readOnly = map[string]*root{}
			}
			w.readOnly[dir] = o
			r = o
		}
		return r, rel, true
	}
	return nil, "", false
}

// Dir is the real path of the first root: the session's current folder.
func (w *Workspace) Dir() string { return w.roots[0].dir }

// Roots are the real paths of all roots.
func (w *Workspace) Roots() []string {
	dirs := make([]string, len(w.roots))
	for i, r := range w.roots {
		dirs[i] = r.dir
	}
	return dirs
}

// Fork gives another view of the same files with an empty ledger, for a
// subagent: what the parent has read, the child has not.
func (w *Workspace) Fork() (*Workspace, error) { return w.host.Open(w.cfg) }

// Ledger is what the model has read.
func (w *Workspace) Ledger() *Ledger { return w.ledger }

// DisplayPath shows an absolute path as the model and the person see it:
// relative to the first root with forward slashes, else absolute.
func (w *Workspace) DisplayPath(abs string) string {
	if rel, ok := below(w.roots[0].dir, abs); ok {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// below gives path relative to dir if it is dir or inside it. Both are clean.
func below(dir, path string) (string, bool) {
	if path == dir {
		return ".", true
	}
	prefix := dir
	if !strings.HasSuffix(prefix, string(filepath.Separator)) {
		prefix += string(filepath.Separator)
	}
	if rel, ok := strings.CutPrefix(path, prefix); ok {
		return rel, true
	}
	return "", false
}

// errText is the reason of a file error without the operation and the path,
// which the message around it names.
func errText(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err.Error()
	}
	return err.Error()
}
