package search

import (
	"bytes"
	"unsafe"
)

// scanner finds the matching lines of one text after the other. It belongs to
// one goroutine.
type scanner struct {
	p   *pattern
	dfa *dfa // built when it is needed
	cur cursors

	hide func(string) string // masks secrets; nil masks nothing

	text []byte
	at   int // where the next line to look at begins
	lits bool
}

// sniff is how much of a file's beginning decides whether it is binary.
const sniff = 8 << 10

// begin sets the text. It must hold whole lines.
func (s *scanner) begin(text []byte) {
	s.text, s.at = text, 0
	s.lits = s.p.find != nil && !(s.p.odd && hasOddLetters(text))
	if s.lits {
		s.cur.reset(len(s.p.find.lits))
	}
}

// hits begins a text and reports whether it has a match at all. If it has, the
// secrets in it are masked before it is searched in earnest: neither a line that
// is shown nor the fact that a guess matches gives one away.
func (s *scanner) hits(text []byte) bool {
	s.begin(text)
	if _, _, ok := s.next(); !ok {
		return false
	}
	if s.hide != nil {
		was := unsafe.String(unsafe.SliceData(text), len(text))
		if masked := s.hide(was); len(masked) != len(was) || masked != was {
			text = []byte(masked)
		}
	}
	s.begin(text)
	return true
}

// hasOddLetters looks for the two letters outside ASCII whose lower case is
// in it: the Kelvin sign and the long s.
func hasOddLetters(b []byte) bool {
	return bytes.Contains(b, []byte("\u212a")) || bytes.Contains(b, []byte("\u017f"))
}

// next gives the next line that matches: text[from:to], without its line end.
func (s *scanner) next() (from, to int, ok bool) {
	for s.at < len(s.text) {
		hit := s.candidate()
		if hit < 0 {
			s.at = len(s.text)
			break
		}
		from = s.at + bytes.LastIndexByte(s.text[s.at:hit], '\n') + 1
		to = len(s.text)
		if i := bytes.IndexByte(s.text[hit:], '\n'); i >= 0 {
			to = hit + i
		}
		s.at = to + 1
		line := s.cut(from, to)
		if s.lits && s.p.whole || s.p.re.Match(s.text[from:line]) {
			return from, line, true
		}
	}
	return 0, 0, false
}

// cut gives the end of a line without the carriage return of its line end.
func (s *scanner) cut(from, to int) int {
	if !s.p.cr && to > from && s.text[to-1] == '\r' {
		return to - 1
	}
	return to
}

func (s *scanner) candidate() int {
	if s.lits {
		return s.p.find.next(s.text, s.at, &s.cur)
	}
	if s.dfa == nil {
		s.dfa = newDFA(s.p.prog)
	}
	return s.dfa.next(s.text, s.at)
}
