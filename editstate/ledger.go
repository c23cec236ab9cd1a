package editstate

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Ledger remembers what the model has read: for each file the hash of the
// content it saw and which of its lines. Writing is allowed against this
// memory only. It is safe for concurrent use.
type Ledger struct {
	host    *Host
	onStale func(paths []string)

	mu      sync.Mutex
	entries map[string]*entry // by real path
	suspect map[string]bool   // paths to look at again
	checker bool              // a check is scheduled
	closed  bool
}

type entry struct {
	loc     Loc
	display string
	hash    Hash
	text    Hash // of the content without its encoding
	source  Source
	version int
	stamp   stamp
	lines   int // of the whole content
	seen    lineSet
	stale   bool // known to have changed since
	told    bool // the model knows that it has
	read    func(context.Context, Loc) (*File, error)
}

func newLedger(h *Host, onStale func([]string)) *Ledger {
	return &Ledger{host: h, onStale: onStale, entries: map[string]*entry{}, suspect: map[string]bool{}}
}

// See notes that the model saw lines first to last (from 1, inclusive) of f. A
// last before first notes that the file exists and is empty.
func (w *Workspace) See(f *File, first, last int) {
	w.ledger.see(w, f, span{first, last})
}

// SeeAll notes that the model saw all of f.
func (w *Workspace) SeeAll(f *File) { w.See(f, 1, LineCount(f.Doc.Text)) }

func (l *Ledger) see(w *Workspace, f *File, s span) {
	path := f.Loc.Path()
	l.mu.Lock()
	e := l.entries[path]
	fresh := e == nil
	if fresh || !e.same(f) {
		e = &entry{}
		l.entries[path] = e
	}
	e.fill(w, f)
	e.seen.add(s)
	closed := l.closed
	l.mu.Unlock()
	switch {
	case closed:
	case fresh:
		l.host.watch.add(filepath.Dir(path), l)
	default:
		l.host.watch.renew(filepath.Dir(path))
	}
}

// same reports whether f is what the model saw: the same bytes, or, where an
// unsaved buffer has been saved or opened, the same text.
func (e *entry) same(f *File) bool {
	return e.hash == f.Hash || e.source != f.Source && e.text == f.textHash()
}

func (e *entry) fill(w *Workspace, f *File) {
	e.text = f.textHash()
	e.loc, e.display, e.hash, e.source, e.version = f.Loc, f.Display, f.Hash, f.Source, f.Version
	e.stamp, e.lines, e.stale, e.told, e.read = f.stamp, LineCount(f.Doc.Text), false, false, w.readKnown
}

// check compares f with what the model read: NotRead if it never did, Stale if
// it saw other bytes. It gives the lines that it saw.
func (l *Ledger) check(f *File) (lineSet, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[f.Loc.Path()]
	if e == nil {
		return nil, &Error{Code: NotRead, Path: f.Display,
			Message: f.Display + " has not been read in this session",
			Hint:    "Read it with read_file first, then repeat the edit."}
	}
	if !e.same(f) {
		e.stale, e.told = true, true
		return nil, &Error{Code: Stale, Path: f.Display,
			Message: f.Display + " has changed since you read it",
			Hint:    "Read it again with read_file and base the edit on its present content."}
	}
	return slices.Clone(e.seen), nil
}

// wrote notes that the session itself has just written after over before.
// changed are the hunks between them; the lines that they wrote count as seen.
func (l *Ledger) wrote(w *Workspace, after *File, changed []Hunk) {
	path := after.Loc.Path()
	l.mu.Lock()
	e := l.entries[path]
	fresh := e == nil
	if fresh {
		e = &entry{}
		l.entries[path] = e
	}
	e.seen = e.seen.through(changed)
	e.fill(w, after)
	delete(l.suspect, path)
	closed := l.closed
	l.mu.Unlock()
	if fresh && !closed {
		l.host.watch.add(filepath.Dir(path), l)
	}
}

// Forget drops a file: the model has to read it again before it may write it.
func (l *Ledger) Forget(loc Loc) { l.drop(loc.Path()) }

// ForgetAll drops all files.
func (l *Ledger) ForgetAll() {
	l.mu.Lock()
	paths := make([]string, 0, len(l.entries))
	for p := range l.entries {
		paths = append(paths, p)
	}
	l.mu.Unlock()
	for _, p := range paths {
		l.drop(p)
	}
}

func (l *Ledger) drop(path string) {
	l.mu.Lock()
	_, had := l.entries[path]
	delete(l.entries, path)
	l.mu.Unlock()
	if had {
		l.host.watch.remove(filepath.Dir(path), l)
	}
}

// TakeStale gives the files that changed since the model read them and that it
// has not been told of, as displayed, and counts them as told.
func (l *Ledger) TakeStale() []string {
	for _, dir := range l.host.watch.moved(l) {
		l.suspectAll(dir)
	}
	l.recheck()
	l.mu.Lock()
	defer l.mu.Unlock()
	var paths []string
	for _, e := range l.entries {
		if e.stale && !e.told {
			e.told = true
			paths = append(paths, e.display)
		}
	}
	slices.Sort(paths)
	return paths
}

// LedgerEntry is a file of the ledger, for debugging.
type LedgerEntry struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Source Source `json:"source"`
	// Version is that of the buffer, if the source is one.
	Version int `json:"version,omitempty"`
	// Size, ModTime (RFC 3339) and, where the system has them, ChangeTime and
	// Inode are what a stat said of the file on disk.
	Size       int64  `json:"size,omitempty"`
	ModTime    string `json:"modTime,omitempty"`
	ChangeTime string `json:"changeTime,omitempty"`
	Inode      uint64 `json:"inode,omitempty"`
	Lines      int    `json:"lines"`
	// Seen are the lines that the model saw, e.g. "1-20,40-44".
	Seen  string `json:"seen"`
	Stale bool   `json:"stale,omitempty"`
}

func (e *entry) show() LedgerEntry {
	s := LedgerEntry{Path: e.display, SHA256: e.hash.String(), Source: e.source, Lines: e.lines, Seen: e.seen.String(), Stale: e.stale}
	if e.source == InBuffer {
		s.Version = e.version
		return s
	}
	s.Size, s.ModTime = e.stamp.size, e.stamp.mtime.UTC().Format(time.RFC3339Nano)
	s.ChangeTime, s.Inode = e.stamp.sys.show()
	return s
}

// Entries lists the ledger in the order of paths.
func (l *Ledger) Entries() []LedgerEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]LedgerEntry, 0, len(l.entries))
	for _, e := range l.entries {
		list = append(list, e.show())
	}
	slices.SortFunc(list, func(a, b LedgerEntry) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return list
}

func (l *Ledger) close() {
	l.mu.Lock()
	l.closed = true
	dirs := make([]string, 0, len(l.entries))
	for path := range l.entries {
		dirs = append(dirs, filepath.Dir(path))
	}
	l.mu.Unlock()
	for _, d := range dirs {
		l.host.watch.remove(d, l)
	}
}
