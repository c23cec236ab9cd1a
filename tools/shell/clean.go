package shell

import (
	"bytes"
	"unicode/utf8"
)

// stripper turns the bytes of a terminal program into plain text, piece by
// piece: escape sequences and control characters go, bytes that are not UTF-8
// (and NUL) become U+FFFD. "\n", "\t", "\r" and "\b" stay. Its zero value is
// ready.
type stripper struct {
	state escState
	n     int    // bytes of the sequence so far
	held  []byte // the start of a character, at the end of a piece
}

type escState byte

const (
	ground  escState = iota
	escape           // after ESC
	csi              // ESC [ ...
	oscText          // ESC ] ... until BEL or ESC \, and its like
	oscEsc           // ESC inside of that
	charset          // ESC ( and one more
)

// maxSequence ends a sequence that never ends by itself.
const maxSequence = 4096

// plainBytes are those that need no thought.
var plainBytes = func() (t [256]bool) {
	for i := 0x20; i < 0x7f; i++ {
		t[i] = true
	}
	for _, b := range "\n\t\r\b" {
		t[b] = true
	}
	return t
}()

const replacement = "\uFFFD"

// strip appends the text of src to dst.
func (s *stripper) strip(dst, src []byte) []byte {
	if len(s.held) > 0 {
		src = append(s.held, src...)
		s.held = nil
	}
	for i := 0; i < len(src); {
		if s.state != ground {
			i += s.sequence(src[i])
			continue
		}
		from := i
		for i < len(src) && plainBytes[src[i]] {
			i++
		}
		dst = append(dst, src[from:i]...)
		if i == len(src) {
			break
		}
		switch b := src[i]; {
		case b == 0x1b:
			s.state, s.n = escape, 0
			i++
		case b == 0:
			dst = append(dst, replacement...)
			i++
		case b < utf8.RuneSelf:
			i++
		default:
			if !utf8.FullRune(src[i:]) {
				s.held = bytes.Clone(src[i:])
				return dst
			}
			r, n := utf8.DecodeRune(src[i:])
			switch {
			case r == utf8.RuneError && n == 1:
				dst = append(dst, replacement...)
			case r >= 0xa0: // below are further control characters
				dst = append(dst, src[i:i+n]...)
			}
			i += n
		}
	}
	return dst
}

// end appends what is left when no more will come.
func (s *stripper) end(dst []byte) []byte {
	if len(s.held) > 0 {
		dst = append(dst, replacement...)
		s.held = nil
	}
	return dst
}

// sequence reads a byte of an escape sequence. It gives 0 if the byte is not a
// part of it.
func (s *stripper) sequence(b byte) int {
	if s.n++; s.n > maxSequence {
		s.state = ground
		return 0
	}
	switch s.state {
	case escape:
		switch {
		case b == '[':
			s.state = csi
		case b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X':
			s.state = oscText
		case 0x20 <= b && b <= 0x2f:
			s.state = charset
		case 0x30 <= b && b <= 0x7e:
			s.state = ground
		default:
			s.state = ground
			return 0
		}
	case csi:
		switch {
		case 0x40 <= b && b <= 0x7e:
			s.state = ground
		case b < 0x20 || b > 0x3f:
			s.state = ground
			return 0
		}
	case charset:
		if b < 0x20 || b > 0x2f {
			s.state = ground
			if b < 0x30 || b > 0x7e {
				return 0
			}
		}
	case oscText:
		switch b {
		case 0x07:
			s.state = ground
		case 0x1b:
			s.state = oscEsc
		case '\n':
			s.state = ground // it was none
			return 0
		}
	case oscEsc:
		s.state = ground
		if b != '\\' {
			s.state = escape
			return 0
		}
	}
	return 1
}

// redraw does what a carriage return and a backspace do on a terminal: of a
// progress bar only its last state stays. It works line by line and holds an
// unfinished one back. Its zero value is ready.
type redraw struct{ line []byte }

// maxHeld is how much of an unfinished line is held back.
const maxHeld = 64 << 10

// text appends the finished lines of src to dst.
func (r *redraw) text(dst, src []byte) []byte {
	end := bytes.LastIndexByte(src, '\n') + 1
	if end > 0 {
		if len(r.line) > 0 {
			i := bytes.IndexByte(src, '\n') + 1
			dst = appendLine(dst, append(r.line, src[:i]...))
			r.line = r.line[:0]
			src, end = src[i:], end-i
		}
		if bytes.IndexByte(src[:end], '\r') < 0 && bytes.IndexByte(src[:end], '\b') < 0 {
			dst = append(dst, src[:end]...)
		} else {
			for line := range bytes.Lines(src[:end]) {
				dst = appendLine(dst, line)
			}
		}
	}
	r.line = append(r.line, src[end:]...)
	if len(r.line) > maxHeld {
		r.line = shrink(r.line)
		if len(r.line) > maxHeld {
			dst = appendLine(dst, r.line)
			r.line = r.line[:0]
		}
	}
	return dst
}

// shrink drops states of a progress bar that have been drawn over.
func shrink(line []byte) []byte {
	if i := bytes.LastIndexByte(line[:len(line)-1], '\r'); i >= 0 {
		return append(line[:0], line[i+1:]...)
	}
	return line
}

// end appends an unfinished last line.
func (r *redraw) end(dst []byte) []byte {
	dst = appendLine(dst, r.line)
	r.line = nil
	return dst
}

func appendLine(dst, line []byte) []byte {
	text := bytes.TrimSuffix(line, []byte{'\n'})
	newline := len(text) < len(line)
	text = bytes.TrimRight(text, "\r")
	if i := bytes.LastIndexByte(text, '\r'); i >= 0 {
		text = text[i+1:]
	}
	from := len(dst)
	if bytes.IndexByte(text, '\b') < 0 {
		dst = append(dst, text...)
	} else {
		for _, b := range text {
			if b != '\b' {
				dst = append(dst, b)
				continue
			}
			_, n := utf8.DecodeLastRune(dst[from:])
			dst = dst[:len(dst)-n]
		}
	}
	if newline {
		dst = append(dst, '\n')
	}
	return dst
}
