package store

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// Log is the file of a session that is open: this process alone may write it.
// It is safe for concurrent use.
type Log struct {
	mu     sync.Mutex
	f      *os.File
	end    int64 // of the last whole line
	closed bool
}

// Append adds a record. When it returns the record survives the process.
func (l *Log) Append(r Record) error { return l.write(r) }

func (l *Log) write(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("writing the session: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return fmt.Errorf("writing the session: %w", os.ErrClosed)
	}
	n, err := l.f.Write(append(b, '\n'))
	if err == nil {
		l.end += int64(n)
		return nil
	}
	if n > 0 { // the disk is full, say: the next line must not follow half a one
		if terr := l.f.Truncate(l.end); terr == nil {
			_, _ = l.f.Seek(l.end, io.SeekStart) // if that fails, so will the next write
		}
	}
	return fmt.Errorf("writing the session: %w", err)
}

// Sync makes what was added survive the system, too.
func (l *Log) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	return l.f.Sync()
}

// Close lets go of the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return l.f.Close()
}
