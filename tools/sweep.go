package tools

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// What sessions whose process was killed have left (images for undo, long
// results) is kept for a while, so that a person can still find it.
const (
	keepLeft = 7 * 24 * time.Hour
	// KeepLeftBytes bounds it, for all sessions together; the oldest go first.
	KeepLeftBytes = 1 << 30
)

// left is the folder of a session.
type left struct {
	dir   string
	used  time.Time // the last change in it
	bytes int64
}

// Sweep removes the undo images and long results of sessions that nobody has written to for keepLeft,
// and the oldest while all have more than most bytes. Those that open says are
// spared. The names in the folder sessions are the ids.
func Sweep(sessions string, now time.Time, most int64, open func(id string) bool) {
	entries, err := os.ReadDir(sessions)
	if err != nil {
		return // there is none yet
	}
	var all []left
	total := int64(0)
	for _, e := range entries {
		if e.IsDir() && !open(e.Name()) {
			l := measure(filepath.Join(sessions, e.Name()))
			if !l.used.IsZero() {
				all = append(all, l)
				total += l.bytes
			}
		}
	}
	slices.SortFunc(all, func(a, b left) int { return a.used.Compare(b.used) })
	for _, l := range all {
		if now.Sub(l.used) < keepLeft && total <= most {
			return
		}
		total -= l.bytes
		for _, part := range leftParts {
			if err := os.RemoveAll(filepath.Join(l.dir, part)); err != nil {
				slog.Debug("removing what an old session left", "err", err)
			}
		}
		_ = os.Remove(l.dir) // unless the session itself is stored there
	}
}

// leftParts are what may go; a stored session stays until it is deleted.
var leftParts = []string{"undo", "results"}

func measure(dir string) left {
	l := left{dir: dir}
	for _, part := range leftParts {
		l.measure(filepath.Join(dir, part))
	}
	return l
}

func (l *left) measure(dir string) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if fi, err := d.Info(); err == nil {
			l.bytes += fi.Size()
			if fi.ModTime().After(l.used) {
				l.used = fi.ModTime()
			}
		}
		return nil
	})
}
