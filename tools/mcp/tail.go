package mcp

import (
	"strings"
	"sync"
)

// tailBytes is how much of a server's stderr is kept.
const tailBytes = 8 << 10

// tail takes everything and keeps the end of it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write implements io.Writer; it never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b[max(0, len(b)-tailBytes):]...)
	if len(t.buf) > 2*tailBytes {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailBytes:]...)
	}
	return len(b), nil
}

// String is what was written last, as valid text.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.buf[max(0, len(t.buf)-tailBytes):]), "\uFFFD"))
}

// lastLines shortens a text to its last lines.
func lastLines(s string, most int) string {
	if len(s) > most {
		s = "…" + strings.ToValidUTF8(s[len(s)-most:], "")
	}
	return s
}
