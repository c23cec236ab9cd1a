package editstate

import (
	"fmt"
	"slices"
)

// span is a run of lines, from 1, inclusive.
type span struct{ lo, hi int }

// lineSet is a set of line numbers: sorted spans that neither touch nor
// overlap.
type lineSet []span

func (s *lineSet) add(n span) {
	if n.hi < n.lo {
		return
	}
	var out lineSet
	for _, x := range *s {
		if x.hi+1 < n.lo || n.hi+1 < x.lo {
			out = append(out, x)
			continue
		}
		n.lo, n.hi = min(n.lo, x.lo), max(n.hi, x.hi)
	}
	out = append(out, n)
	slices.SortFunc(out, func(a, b span) int { return a.lo - b.lo })
	*s = out
}

// has reports whether all of n is in s. An empty n always is.
func (s lineSet) has(n span) bool {
	if n.hi < n.lo {
		return true
	}
	for _, x := range s {
		if x.lo <= n.lo && n.hi <= x.hi {
			return true
		}
	}
	return false
}

// through carries the set through a change: lines outside the hunks keep their
// place in the new numbering, and the lines that the hunks put in are added.
func (s lineSet) through(hunks []Hunk) lineSet {
	var out lineSet
	for _, x := range s {
		lo := x.lo
		for _, h := range hunks {
			// first old line after the hunk; an insertion has OldLines 0 and
			// stands before OldStart
			end := h.OldStart + h.OldLines
			if end <= lo && h.OldStart < lo || h.OldStart > x.hi {
				continue
			}
			out.add(span{lo + shift(hunks, lo), h.OldStart - 1 + shift(hunks, h.OldStart-1)})
			lo = max(lo, end)
		}
		if lo <= x.hi {
			out.add(span{lo + shift(hunks, lo), x.hi + shift(hunks, x.hi)})
		}
	}
	for _, h := range hunks {
		out.add(span{h.NewStart, h.NewStart + h.NewLines - 1})
	}
	return out
}

// shift is how far an unchanged old line moves.
func shift(hunks []Hunk, oldLine int) int {
	d := 0
	for _, h := range hunks {
		if h.OldStart+h.OldLines <= oldLine || h.OldLines == 0 && h.OldStart <= oldLine {
			d += h.NewLines - h.OldLines
		}
	}
	return d
}

// String writes the set as "1-20,40-44".
func (s lineSet) String() string {
	var out []byte
	for i, x := range s {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%d-%d", x.lo, x.hi)
	}
	return string(out)
}
