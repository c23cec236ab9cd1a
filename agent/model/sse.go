package model

import (
	"bytes"
	"fmt"
	"io"
)

// maxSSEEvent bounds one server-sent event, and so the reader's memory. A tool
// call with a whole file in it comes as one line from some servers.
const maxSSEEvent = 32 << 20

var errSSETooLong = fmt.Errorf("a server-sent event is longer than %d MiB", maxSSEEvent>>20)

// sseReader reads server-sent events (WHATWG HTML, section 9.2). It is lenient
// where servers are sloppy: a last event needs no blank line after it, and a
// line that starts with { counts as data.
//
// The buffer holds the event being read and what came after it; positions are
// relative to start, so that they survive a move of the buffer.
type sseReader struct {
	r          io.Reader
	buf        []byte
	start, end int // the unread part of buf
	pos        int // of the next line, from start
	scanned    int // no line end before this, from start
	skipLF     bool
	bomChecked bool
	err        error // from r, for when the buffer is used up

	name           string // the event: line
	lines          int    // data: lines of this event
	dataLo, dataHi int    // the first of them, from start
	joined         []byte // all of them, when there are several
}

func newSSEReader(r io.Reader) *sseReader {
	return &sseReader{r: r, buf: make([]byte, 16<<10)}
}

// next gives the name and the data of the next event that has data; both are
// valid until the next call. At the end of the stream it gives io.EOF or what
// the reader failed with; unterminated says that the stream ended before the
// event did.
func (s *sseReader) next() (name string, data []byte, unterminated bool, err error) {
	s.begin(s.pos)
	for {
		lo, hi, ok, err := s.line()
		if err != nil {
			return "", nil, false, err
		}
		if !ok { // the end
			if s.err != io.EOF || s.lines == 0 {
				return "", nil, false, s.err
			}
			return s.name, s.data(), true, nil
		}
		switch {
		case lo < hi:
			s.field(lo, hi)
			if s.lines == 0 && s.name == "" {
				s.begin(s.pos)
			}
		case s.lines > 0 && len(bytes.TrimSpace(s.data())) > 0:
			return s.name, s.data(), false, nil
		default:
			s.begin(s.pos)
		}
	}
}

// begin starts a new event n bytes further on.
func (s *sseReader) begin(n int) {
	s.start += n
	s.scanned = max(0, s.scanned-n)
	s.pos, s.lines, s.name, s.joined = 0, 0, "", s.joined[:0]
}

// line finds the next line: b[lo:hi], from start, without its end. ok is false
// at the end of the stream.
func (s *sseReader) line() (lo, hi int, ok bool, err error) {
	for {
		b := s.buf[s.start:s.end]
		if !s.bomChecked && (len(b) >= 3 || s.err != nil) {
			s.bomChecked = true
			if bytes.HasPrefix(b, []byte("\ufeff")) {
				s.pos = 3
			}
		}
		if s.skipLF && len(b) > s.pos {
			s.skipLF = false
			if b[s.pos] == '\n' {
				s.pos++
			}
		}
		if from := max(s.pos, s.scanned); from < len(b) && s.bomChecked {
			n := bytes.IndexByte(b[from:], '\n')
			if n < 0 {
				n = len(b) - from
			}
			if cr := bytes.IndexByte(b[from:from+n], '\r'); cr >= 0 {
				n = cr
			}
			if hi = from + n; hi < len(b) {
				lo = s.pos
				s.skipLF = b[hi] == '\r'
				s.pos = hi + 1
				return lo, hi, true, nil
			}
			s.scanned = len(b)
		}
		if s.err != nil {
			if lo = s.pos; lo < len(b) { // the last line has no end
				s.pos = len(b)
				return lo, len(b), true, nil
			}
			return 0, 0, false, nil
		}
		if err := s.fill(); err != nil {
			return 0, 0, false, err
		}
	}
}

// fill reads once, making room first.
func (s *sseReader) fill() error {
	if s.end == len(s.buf) {
		used := s.end - s.start
		switch {
		case s.start > 0 && used <= len(s.buf)/2:
			copy(s.buf, s.buf[s.start:s.end])
		case len(s.buf) >= maxSSEEvent:
			return errSSETooLong
		default:
			grown := make([]byte, min(2*len(s.buf), maxSSEEvent))
			copy(grown, s.buf[s.start:s.end])
			s.buf = grown
		}
		s.start, s.end = 0, used
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return nil
		}
	}
	s.err = io.ErrNoProgress
	return nil
}

// field takes in one line that is not empty.
func (s *sseReader) field(lo, hi int) {
	b := s.buf[s.start:s.end]
	line := b[lo:hi]
	switch {
	case line[0] == '{':
	case bytes.HasPrefix(line, []byte("data:")):
		lo += len("data:")
	case bytes.HasPrefix(line, []byte("event:")):
		s.name = string(bytes.TrimSpace(line[len("event:"):]))
		return
	default: // comments, id:, retry:, what nobody knows
		return
	}
	if lo < hi && b[lo] == ' ' {
		lo++
	}
	switch s.lines++; s.lines {
	case 1:
		s.dataLo, s.dataHi = lo, hi
		return
	case 2:
		s.joined = append(s.joined, b[s.dataLo:s.dataHi]...)
	}
	s.joined = append(append(s.joined, '\n'), b[lo:hi]...)
}

func (s *sseReader) data() []byte {
	if s.lines > 1 {
		return s.joined
	}
	return s.buf[s.start+s.dataLo : s.start+s.dataHi]
}
