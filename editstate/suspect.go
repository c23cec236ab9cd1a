package editstate

import (
	"context"
	"path/filepath"
	"time"
)

// suspectPath schedules a look at one file.
func (l *Ledger) suspectPath(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[path]; e != nil && !e.stale {
		l.suspect[path] = true
		l.schedule()
	}
}

// suspectAll schedules a look at all files of a folder, or at all there are.
func (l *Ledger) suspectAll(dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, e := range l.entries {
		if !e.stale && (dir == "" || filepath.Dir(path) == dir) {
			l.suspect[path] = true
		}
	}
	l.schedule()
}

// schedule starts one check for all that comes in a short while. l.mu is held.
func (l *Ledger) schedule() {
	if !l.checker && !l.closed && len(l.suspect) > 0 {
		l.checker = true
		time.AfterFunc(settle, l.recheck)
	}
}

// recheck looks at the suspects and tells of those that differ.
func (l *Ledger) recheck() {
	l.mu.Lock()
	paths := make([]string, 0, len(l.suspect))
	for p := range l.suspect {
		paths = append(paths, p)
	}
	clear(l.suspect)
	l.checker = false
	closed := l.closed
	l.mu.Unlock()
	if closed {
		return
	}
	var changed []string
	for _, p := range paths {
		if l.differs(p) {
			changed = append(changed, p)
		}
	}
	if len(changed) > 0 {
		l.onStale(changed)
	}
}

// differs compares a file with its entry and marks the entry if it is stale.
// It holds the path's lock, so that the session's own writes, which update
// the entry under the same lock, never look like somebody else's.
func (l *Ledger) differs(path string) bool {
	unlock := l.host.locks.lock(path)
	defer unlock()
	l.mu.Lock()
	e := l.entries[path]
	if e == nil || e.stale || l.closed {
		l.mu.Unlock()
		return false
	}
	hash, loc, read, was := e.hash, e.loc, e.read, e.stamp
	disk := e.source == Disk && l.host.buffers.get(path) == nil
	l.mu.Unlock()
	if fi, there := exists(loc); disk && there && stampOf(fi) == was {
		return false // most events are of our own writes
	}

	f, err := read(context.Background(), loc)

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries[path] != e || e.hash != hash || l.closed {
		return false
	}
	if err == nil && e.same(f) {
		e.stamp = f.stamp
		return false
	}
	e.stale = true
	return true
}
