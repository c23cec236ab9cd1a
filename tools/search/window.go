package search

import (
	"strings"
	"unicode/utf8"
)

// Lengths of shown lines, in bytes.
const (
	maxLine    = 600 // of a line with a match
	maxContext = 300 // of a line around it
	beforeHit  = 150 // what is shown before the match in a longer line
	cutMark    = "…"
)

// window gives a line for the model: as much of a long one as fits around the
// match at hit, in valid UTF-8 and without NUL.
func window(line []byte, hit []int, limit int) string {
	if len(line) <= limit {
		return clean(line)
	}
	from := 0
	if hit != nil && hit[1] > limit-beforeHit {
		from = max(hit[0]-beforeHit, 0)
	}
	from = runeStart(line, min(from, len(line)-limit))
	to := runeStart(line, min(from+limit, len(line)))
	s := clean(line[from:to])
	if from > 0 {
		s = cutMark + s
	}
	if to < len(line) {
		s += cutMark
	}
	return s
}

// runeStart moves i back to the start of its character.
func runeStart(b []byte, i int) int {
	for n := 0; n < utf8.UTFMax && i > 0 && i < len(b) && !utf8.RuneStart(b[i]); n++ {
		i--
	}
	return i
}

func clean(b []byte) string {
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	return strings.ReplaceAll(s, "\x00", "\uFFFD")
}
