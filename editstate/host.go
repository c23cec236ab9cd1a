package editstate

import "sync"

// Host is what all sessions of a daemon share: the unsaved buffers, the
// watcher, and one lock for each path. It is safe for concurrent use.
type Host struct {
	buffers *buffers
	watch   *watcher
	locks   locks
	staging staging
}

// NewHost makes a host. Nothing is started before it is needed. stagingDir is a
// private folder, best on the file system of the workspaces, for files on the
// way to their places; "" means that they have temporary names there.
func NewHost(stagingDir string) *Host {
	h := &Host{buffers: newBuffers()}
	h.staging.dir = stagingDir
	h.watch = newWatcher()
	return h
}

// Close stops the watcher.
func (h *Host) Close() { h.watch.close() }

// locks holds one lock for each path that is being written.
type locks struct {
	mu   sync.Mutex
	held map[string]*pathLock
}

type pathLock struct {
	mu    sync.Mutex
	users int
}

// lock waits for path and returns the function that lets it go.
func (l *locks) lock(path string) (unlock func()) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[string]*pathLock{}
	}
	p := l.held[path]
	if p == nil {
		p = &pathLock{}
		l.held[path] = p
	}
	p.users++
	l.mu.Unlock()
	p.mu.Lock()
	return func() {
		p.mu.Unlock()
		l.mu.Lock()
		if p.users--; p.users == 0 {
			delete(l.held, path)
		}
		l.mu.Unlock()
	}
}
