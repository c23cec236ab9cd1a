package shell

import (
	"bytes"
	"sync"
	"time"
)

const (
	// liveBytes is how much live output one command shows.
	liveBytes = 1 << 20
	// liveEvery is how often it is shown: often enough to look alive, not so
	// often that a chatty command costs more in messages than in work.
	liveEvery = 50 * time.Millisecond
	// liveChunk is shown at once.
	liveChunk = 64 << 10
)

// live shows output to the person while a command runs, in few pieces.
type live struct {
	show func(string)

	mu      sync.Mutex
	pending []byte
	left    int
	last    time.Time
	timer   *time.Timer
	over    bool
}

func newLive(show func(string)) *live { return &live{show: show, left: liveBytes} }

// add takes a piece of text.
func (l *live) add(text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over || len(text) == 0 || l.left == 0 {
		return
	}
	if len(text) >= l.left {
		text = trimPartial(text[:l.left])
		l.left = 0
		l.pending = append(append(l.pending, text...), "\n[live output ends here; the result shows the end of it]\n"...)
		l.flush()
		return
	}
	l.left -= len(text)
	l.pending = append(l.pending, text...)
	switch {
	case len(l.pending) >= liveChunk || time.Since(l.last) >= liveEvery:
		l.flush()
	case l.timer == nil:
		l.timer = time.AfterFunc(liveEvery-time.Since(l.last), func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.timer = nil
			if !l.over {
				l.flush()
			}
		})
	}
}

// flush shows what is pending, of a progress bar only its last state. l.mu is
// held, so that the pieces stay in order.
func (l *live) flush() {
	if len(l.pending) == 0 {
		return
	}
	l.show(string(visible(l.pending)))
	l.pending, l.last = l.pending[:0], time.Now()
}

// visible does what the carriage returns in a piece of output do; one at its
// start or end stays, since it concerns other pieces.
func visible(b []byte) []byte {
	if bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, '\b') < 0 {
		return b
	}
	var out []byte
	for line := range bytes.Lines(b) {
		body := bytes.TrimRight(line, "\r\n")
		if i := bytes.LastIndexByte(body, '\r'); i >= 0 && len(out) == 0 {
			out = append(out, '\r')
		}
		end := line[len(body):]
		if bytes.HasSuffix(end, []byte{'\n'}) {
			end = end[len(end)-1:]
		}
		out = append(appendLine(out, body), end...)
	}
	return out
}

// end shows what is left; nothing is shown after it.
func (l *live) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
	}
	l.flush()
	l.over = true
}
