package editstate

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// staging is the folder in which a complete file has its name for the moment
// before it replaces another one: if the process is killed in that moment the
// litter is here and not in the workspace, and the next process clears it. For
// files on other file systems, whose temporary name has to be beside the
// target, a note in the folder says where that is.
type staging struct {
	dir  string // "" if there is none
	once sync.Once
	ok   bool
}

// ready makes the folder and clears what dead processes have left in it.
func (s *staging) ready() bool {
	s.once.Do(func() {
		if s.dir == "" || os.MkdirAll(s.dir, 0o700) != nil {
			return
		}
		s.ok = true
		entries, err := os.ReadDir(s.dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			s.clear(e.Name())
		}
	})
	return s.ok
}

// clear removes one entry, if its process is dead.
func (s *staging) clear(name string) {
	path := filepath.Join(s.dir, name)
	pid, _, _ := strings.Cut(name, "-")
	if n, err := strconv.Atoi(pid); err == nil && (n == os.Getpid() || processLives(n)) && !old(path) {
		return
	}
	if strings.HasSuffix(name, ".note") {
		if b, err := os.ReadFile(path); err == nil {
			target := string(b)
			if base := filepath.Base(target); strings.HasPrefix(base, tempPrefix) && strings.HasSuffix(base, tempSuffix) {
				_ = os.Remove(target)
			}
		}
	}
	_ = os.Remove(path)
}

// old reports whether an entry is so old that its process number has been
// given to another one.
func old(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && time.Since(fi.ModTime()) > 24*time.Hour
}

// name makes a name for an entry of this process.
func (s *staging) name() string { return fmt.Sprintf("%d-%s", os.Getpid(), tempName()) }

// note writes down that there is a temporary file at path; the returned
// function takes the note back.
func (s *staging) note(path string) (forget func()) {
	if !s.ready() {
		return func() {}
	}
	note := filepath.Join(s.dir, s.name()+".note")
	if err := os.WriteFile(note, []byte(path), 0o600); err != nil {
		return func() {}
	}
	return func() { _ = os.Remove(note) }
}
