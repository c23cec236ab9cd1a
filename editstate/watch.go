package editstate

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a burst of events is gathered before files are looked at.
const settle = 30 * time.Millisecond

// watcher watches the folders of files that ledgers hold: never the tree, and
// never the files themselves, since a watch on a file dies with its first
// atomic save. Losing events only loses the early notice: every write compares
// hashes anyway. It starts with the first folder.
type watcher struct {
	open func() (*fsnotify.Watcher, error)

	mu     sync.Mutex
	fs     *fsnotify.Watcher
	failed bool // no watcher can be had: stay silent
	closed bool
	dirs   map[string]map[*Ledger]int // files of the ledger in the folder
	lost   map[string]bool            // folders whose watch is gone
	infos  map[string]fs.FileInfo     // which folder is watched by a name
	done   chan struct{}
}

func newWatcher() *watcher {
	open := func() (*fsnotify.Watcher, error) { return fsnotify.NewBufferedWatcher(256) }
	return &watcher{open: open, dirs: map[string]map[*Ledger]int{}, lost: map[string]bool{}, infos: map[string]fs.FileInfo{}}
}

func (w *watcher) add(dir string, l *Ledger) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	users := w.dirs[dir]
	if users == nil {
		users = map[*Ledger]int{}
		w.dirs[dir] = users
		w.watch(dir)
	}
	users[l]++
}

// watch asks for events of a folder. w.mu is held.
func (w *watcher) watch(dir string) {
	if w.fs == nil && !w.failed {
		fs, err := w.open()
		if err != nil {
			w.failed = true
			slog.Warn("no file watcher: changes of files are noticed when they are edited", "err", err)
			return
		}
		w.fs = fs
		w.done = make(chan struct{})
		go w.run(fs, w.done)
	}
	if w.fs != nil {
		fi, err := os.Lstat(dir)
		if err == nil {
			err = w.fs.Add(dir)
		}
		w.infos[dir] = fi
		if err != nil {
			w.lost[dir] = true // the machine may be out of watches
			slog.Debug("folder is not watched", "dir", dir, "err", err)
		}
	}
}

// moved gives the folders of l's files that are not the watched ones any more,
// since a folder above was renamed, of which no event tells. Those that stand
// in their place are watched from now on.
func (w *watcher) moved(l *Ledger) (dirs []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fs == nil || w.closed {
		return nil
	}
	for dir, users := range w.dirs {
		if users[l] == 0 || w.lost[dir] {
			continue
		}
		if fi, err := os.Lstat(dir); err != nil || !os.SameFile(fi, w.infos[dir]) {
			dirs = append(dirs, dir)
			_ = w.fs.Remove(dir) // it may have gone by itself
			w.watch(dir)
		}
	}
	return dirs
}

// renew asks again for the events of a folder that could not be watched: it was
// away and may be back, or there may be watches again.
func (w *watcher) renew(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost[dir] && !w.closed {
		delete(w.lost, dir)
		w.watch(dir)
	}
}

func (w *watcher) remove(dir string, l *Ledger) {
	w.mu.Lock()
	defer w.mu.Unlock()
	users := w.dirs[dir]
	if users == nil {
		return
	}
	if users[l]--; users[l] <= 0 {
		delete(users, l)
	}
	if len(users) == 0 {
		delete(w.dirs, dir)
		delete(w.lost, dir)
		delete(w.infos, dir)
		if w.fs != nil {
			// The folder may be gone, and its watch with it.
			_ = w.fs.Remove(dir)
		}
	}
}

// run takes the events as fast as they come: the watcher of some systems can do
// nothing else meanwhile, not even take a new folder. What they mean for the
// ledgers is seen to by another goroutine.
func (w *watcher) run(fs *fsnotify.Watcher, done chan struct{}) {
	news := &backlog{wake: make(chan struct{}, 1)}
	go func() {
		defer close(done)
		for range news.wake {
			w.heed(news)
		}
		w.heed(news)
	}()
	defer close(news.wake)
	for {
		select {
		case ev, ok := <-fs.Events:
			if !ok {
				return
			}
			if ev.Op != fsnotify.Chmod {
				news.add(ev.Name, ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename))
			}
		case err, ok := <-fs.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				news.addAll()
				continue
			}
			slog.Debug("file watcher", "err", err)
		}
	}
}

// heed tells the ledgers what has come in.
func (w *watcher) heed(b *backlog) {
	paths, all := b.take()
	if all {
		w.pokeAll()
	}
	for path, gone := range paths {
		w.poke(path)
		if gone {
			w.folderGone(path)
		}
	}
}

// backlog gathers events until somebody has time for them. Of very many no more
// is known than that there were some.
type backlog struct {
	wake chan struct{}

	mu    sync.Mutex
	paths map[string]bool // whether it is gone, too
	all   bool
}

const maxBacklog = 10_000

func (b *backlog) add(path string, gone bool) {
	b.mu.Lock()
	if b.paths == nil {
		b.paths = map[string]bool{}
	}
	if b.paths[path] = b.paths[path] || gone; len(b.paths) > maxBacklog {
		b.paths, b.all = nil, true
	}
	b.mu.Unlock()
	b.signal()
}

func (b *backlog) addAll() {
	b.mu.Lock()
	b.all = true
	b.mu.Unlock()
	b.signal()
}

func (b *backlog) signal() {
	select {
	case b.wake <- struct{}{}:
	default: // it is awake
	}
}

func (b *backlog) take() (paths map[string]bool, all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	paths, all = b.paths, b.all
	b.paths, b.all = nil, false
	return paths, all
}

// poke tells the ledgers that hold path that it may have changed.
func (w *watcher) poke(path string) {
	w.mu.Lock()
	var ls []*Ledger
	for l := range w.dirs[filepath.Dir(path)] {
		ls = append(ls, l)
	}
	w.mu.Unlock()
	for _, l := range ls {
		l.suspectPath(path)
	}
}

// pokeAll tells every ledger that any of its files may have changed.
func (w *watcher) pokeAll() {
	w.mu.Lock()
	ls := map[*Ledger]bool{}
	for _, users := range w.dirs {
		for l := range users {
			ls[l] = true
		}
	}
	w.mu.Unlock()
	for l := range ls {
		l.suspectAll("")
	}
}

// folderGone is told of a removed or renamed path. If it was a watched folder,
// its watch is gone with it; it is asked for again, in case that a new folder
// stands in its place, and the files in it are looked at.
func (w *watcher) folderGone(path string) {
	w.mu.Lock()
	var ls []*Ledger
	if users := w.dirs[path]; users != nil && w.fs != nil {
		_ = w.fs.Remove(path)
		delete(w.lost, path)
		w.watch(path)
		for l := range users {
			ls = append(ls, l)
		}
	}
	w.mu.Unlock()
	for _, l := range ls {
		l.suspectAll(path)
	}
}

func (w *watcher) close() {
	w.mu.Lock()
	w.closed = true
	fs, done := w.fs, w.done
	w.fs = nil
	w.mu.Unlock()
	if fs != nil {
		fs.Close()
		<-done
	}
}
