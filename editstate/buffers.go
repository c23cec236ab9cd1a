package editstate

import (
	"fmt"
	"path/filepath"
	"sync"
)

// Limits of the unsaved buffers that a client may hold in the daemon.
const (
	MaxBuffers     = 1000
	MaxBufferBytes = 64 << 20 // all buffers together
)

// Buffer is the text of an unsaved editor buffer.
type Buffer struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`

	name string // the clean path of URI, which may lead through links
	lost bool   // the text was too large to keep: the file is off limits
}

// buffers holds the dirty buffers by real path.
type buffers struct {
	mu     sync.RWMutex
	byPath map[string]*Buffer
	bytes  int
}

func newBuffers() *buffers { return &buffers{byPath: map[string]*Buffer{}} }

// SetBuffer notes that the editor holds an unsaved text for a file: from now
// on that text is the file's content for the model. An older version than the
// one known is ignored.
func (h *Host) SetBuffer(b Buffer) error {
	name, path, err := bufferPath(b.URI)
	if err != nil {
		return err
	}
	b.name = name
	defer h.watch.poke(path)
	s := h.buffers
	s.mu.Lock()
	defer s.mu.Unlock()
	if was := s.named(name); was != "" && was != path { // a link on the way leads elsewhere now
		defer h.watch.poke(was)
		s.drop(was)
	}
	old := s.byPath[path]
	size := s.bytes + len(b.Text)
	if old != nil {
		if b.Version < old.Version && old.name == name {
			return nil
		}
		size -= len(old.Text)
	} else if len(s.byPath) >= MaxBuffers {
		return &Error{Code: TooLarge, Path: b.URI, Message: fmt.Sprintf("more than %d unsaved buffers", MaxBuffers)}
	}
	if size > MaxBufferBytes {
		// Neither an older text nor the file on disk may pass for the new one.
		s.bytes = size - len(b.Text)
		s.byPath[path] = &Buffer{URI: b.URI, Version: b.Version, name: name, lost: true}
		return &Error{Code: TooLarge, Path: b.URI, Message: fmt.Sprintf("unsaved buffers hold more than %d MiB", MaxBufferBytes>>20)}
	}
	s.bytes = size
	s.byPath[path] = &b
	return nil
}

// ClearBuffer notes that the editor's buffer was saved, reverted or closed:
// the file on disk is the content again.
func (h *Host) ClearBuffer(uri string) error {
	name, path, err := bufferPath(uri)
	if err != nil {
		return err
	}
	s := h.buffers
	s.mu.Lock()
	// The buffer goes by its name: where the name leads may have changed.
	if was := s.named(name); was != "" {
		path = was
	}
	s.drop(path)
	s.mu.Unlock()
	h.watch.poke(path)
	return nil
}

// named gives the path at which the buffer of a name is kept; "" if none is.
// s.mu is held.
func (s *buffers) named(name string) string {
	for path, b := range s.byPath {
		if b.name == name {
			return path
		}
	}
	return ""
}

// drop forgets the buffer at a path. s.mu is held.
func (s *buffers) drop(path string) {
	if old := s.byPath[path]; old != nil {
		s.bytes -= len(old.Text)
		delete(s.byPath, path)
	}
}

// get gives the buffer of the file at a real path, or nil.
func (s *buffers) get(path string) *Buffer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.byPath[path]
}

// below gives the buffers of files at or below a real path; nil if there are
// none.
func (s *buffers) below(dir string) map[string]*Buffer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found map[string]*Buffer
	for path, b := range s.byPath {
		if _, ok := below(dir, path); ok {
			if found == nil {
				found = map[string]*Buffer{}
			}
			found[path] = b
		}
	}
	return found
}

// applied notes the text that the editor has just taken, in case that its own
// buffer/set comes later.
func (s *buffers) applied(path string, version int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.byPath[path]; old != nil && old.Version < version {
		s.bytes += len(text) - len(old.Text)
		s.byPath[path] = &Buffer{URI: old.URI, Version: version, Text: text, name: old.name}
	}
}

// bufferPath is the path of a buffer's file, which need not exist: as the
// editor names it, and without links.
func bufferPath(uri string) (name, path string, err error) {
	if name, err = URIToPath(uri); err != nil {
		return "", "", err
	}
	name = filepath.Clean(name)
	return name, realPath(name), nil
}

// realPath is a clean path without symbolic links, as far as it exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(realPath(dir), filepath.Base(path))
}
