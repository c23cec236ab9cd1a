package model

import "strings"

// Marks that some models put around their thinking, at the start of the answer,
// where the server does not tell the two apart.
const (
	thinkBegin = "<think>"
	thinkEnd   = "</think>"
)

// thinkSplit tells thinking in marks from the answer that follows, in a text that
// comes in pieces. Marks elsewhere are part of the answer.
type thinkSplit struct {
	state thinkState
	held  string // may be the beginning of a mark
}

type thinkState int

const (
	thinkStart  thinkState = iota // nothing but blanks so far
	thinkInside                   // between the marks
	thinkGap                      // blanks after the end
	thinkOver                     // the answer
)

// add takes a piece and gives what can be told of it by now.
func (t *thinkSplit) add(s string) (text, thought string) {
	s, t.held = t.held+s, ""
	if t.state == thinkStart {
		trimmed := strings.TrimLeft(s, " \t\r\n")
		switch {
		case strings.HasPrefix(trimmed, thinkBegin):
			t.state, s = thinkInside, trimmed[len(thinkBegin):]
		case strings.HasPrefix(thinkBegin, trimmed):
			t.held = s
			return "", ""
		default:
			t.state = thinkOver
		}
	}
	if t.state == thinkInside {
		before, after, found := strings.Cut(s, thinkEnd)
		if !found {
			keep := overlap(s, thinkEnd)
			t.held = s[len(s)-keep:]
			return "", s[:len(s)-keep]
		}
		thought, s, t.state = before, after, thinkGap
	}
	if t.state == thinkGap {
		if s = strings.TrimLeft(s, "\r\n"); s == "" {
			return "", thought
		}
		t.state = thinkOver
	}
	return s, thought
}

// end gives what was held back.
func (t *thinkSplit) end() (text, thought string) {
	s := t.held
	t.held = ""
	if t.state == thinkInside {
		return "", s
	}
	return s, ""
}

// overlap is how many bytes at the end of s can be the beginning of mark.
func overlap(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if strings.HasSuffix(s, mark[:n]) {
			return n
		}
	}
	return 0
}
