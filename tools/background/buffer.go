package background

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agentd-dev/agentd/tools"
)

// unreadBytes is how much output waits for the model to look at it; of more,
// the end is kept.
const unreadBytes = 64 << 10

// buffer holds the output of a task that the model has not seen yet, and all of
// it in a file once it is long.
type buffer struct {
	spool *tools.Spool

	mu      sync.Mutex
	masked  *tools.RedactStream // a secret may come in pieces
	held    int                 // bytes that it held back at the last look
	unread  []byte
	dropped int64 // bytes that nobody has seen
	file    *tools.SpoolFile
	failed  bool
	more    chan struct{} // closed when something comes
}

func newBuffer(s *tools.Spool) *buffer {
	return &buffer{spool: s, masked: s.Redactor().Stream(), more: make(chan struct{})}
}

// Write takes a piece of output. It never fails.
func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(b.masked.Next(string(p)))
	close(b.more)
	b.more = make(chan struct{})
	return len(p), nil
}

// add keeps a text for the next look. b.mu is held.
func (b *buffer) add(text string) {
	b.unread = append(b.unread, text...)
	if b.file != nil && !b.failed {
		_, err := b.file.Write([]byte(text))
		b.failed = err != nil
	}
	if len(b.unread) > 2*unreadBytes {
		b.save()
		cut := len(b.unread) - unreadBytes
		for cut < len(b.unread) && !utf8.RuneStart(b.unread[cut]) {
			cut++
		}
		b.dropped += int64(cut)
		b.unread = append(b.unread[:0], b.unread[cut:]...)
	}
}

// save begins the file, with what has not been dropped so far. b.mu is held.
func (b *buffer) save() {
	if b.file != nil || b.failed || b.spool == nil {
		return
	}
	f, err := b.spool.Create("background")
	if err == nil {
		b.file = f.Masked()
		_, err = b.file.Write(b.unread)
	}
	b.failed = err != nil
}

// take gives what has come since the last time. dropped counts the bytes before
// it that are only in the file. A word that may go on comes with the next look.
func (b *buffer) take() (text string, dropped int64, file string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := b.masked.Held(); n > 0 && n == b.held {
		b.add(b.masked.End())
	}
	b.held = b.masked.Held()
	text, dropped = strings.ToValidUTF8(string(b.unread), "\uFFFD"), b.dropped
	b.unread, b.dropped = b.unread[:0], 0
	if b.file != nil && !b.failed {
		file = b.file.Path()
	}
	return text, dropped, file
}

// arrival is closed when more output comes; it is nil when there is some.
func (b *buffer) arrival() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.unread) > 0 || b.dropped > 0 {
		return nil
	}
	return b.more
}

func (b *buffer) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(b.masked.End())
	if b.file != nil && b.file.Close() != nil {
		b.failed = true
	}
}
