package tools

import "strings"

// heldBytes bounds what a RedactStream holds back.
const heldBytes = 64 << 10

// RedactStream masks secrets in a text that comes in pieces: the last word is
// held back, since it may go on, and so is an unfinished private key.
type RedactStream struct {
	r    *Redactor
	line string // what has been given of the present line, not masked
	held string
}

// Stream begins a text.
func (r *Redactor) Stream() *RedactStream { return &RedactStream{r: r} }

// Next takes a piece and gives what can be shown by now.
func (s *RedactStream) Next(piece string) string {
	if s.r == nil {
		return piece
	}
	s.held += piece
	cut := strings.LastIndexAny(s.held, " \t\r\n") + 1
	if i := strings.LastIndex(s.held[:cut], "-----BEGIN "); i >= 0 && !strings.Contains(s.held[i:cut], "-----END ") {
		cut = strings.LastIndexByte(s.held[:i], '\n') + 1
	}
	if len(s.held)-cut > heldBytes {
		cut = len(s.held)
	}
	return s.give(cut)
}

// Held counts the bytes that are held back.
func (s *RedactStream) Held() int { return len(s.held) }

// End gives what was held back.
func (s *RedactStream) End() string { return s.give(len(s.held)) }

// give masks the first n bytes that are held, as the end of their line.
func (s *RedactStream) give(n int) string {
	if n == 0 {
		return ""
	}
	before := len(s.r.Text(s.line))
	text := s.line + s.held[:n]
	masked := s.r.Text(text)
	s.held = s.held[n:]
	s.line = text[strings.LastIndexAny(text, "\r\n")+1:]
	if len(s.line) > heldBytes {
		s.line = s.line[len(s.line)-heldBytes/2:]
	}
	return masked[min(before, len(masked)):]
}
