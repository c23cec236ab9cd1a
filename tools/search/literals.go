package search

import (
	"regexp/syntax"
	"strings"
)

// maxLiterals is how many literals are looked for at once.
const maxLiterals = 8

// litSet is a set of literals one of which every match must hold.
type litSet struct {
	lits []string
	fold bool // letter case does not matter
}

// shortest is the length of the shortest literal: how well the set filters.
func (s litSet) shortest() int {
	n := 0
	for i, l := range s.lits {
		if i == 0 || len(l) < n {
			n = len(l)
		}
	}
	return n
}

func (s litSet) better(t litSet) bool {
	a, b := s.shortest(), t.shortest()
	if (a >= 3) != (b >= 3) {
		return a >= 3
	}
	if len(s.lits) != len(t.lits) && a >= 3 {
		return len(t.lits) == 0 || len(s.lits) < len(t.lits)
	}
	return a > b
}

// exact gives all strings that re matches, if they are few and plain.
func exact(re *syntax.Regexp) (litSet, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		fold := re.Flags&syntax.FoldCase != 0
		s := string(re.Rune)
		if fold && !isASCII(s) {
			return litSet{}, false
		}
		return litSet{lits: []string{s}, fold: fold}, true
	case syntax.OpEmptyMatch:
		return litSet{lits: []string{""}}, true
	case syntax.OpCapture:
		return exact(re.Sub[0])
	case syntax.OpCharClass:
		var s litSet
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if len(s.lits) == maxLiterals {
					return litSet{}, false
				}
				s.lits = append(s.lits, string(r))
			}
		}
		return s, len(s.lits) > 0
	case syntax.OpQuest:
		s, ok := exact(re.Sub[0])
		return union(s, litSet{lits: []string{""}}, ok)
	case syntax.OpAlternate:
		s, ok := exact(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			t, tok := exact(sub)
			s, ok = union(s, t, ok && tok)
		}
		return s, ok
	case syntax.OpConcat:
		s := litSet{lits: []string{""}}
		for _, sub := range re.Sub {
			t, ok := exact(sub)
			if s, ok = product(s, t, ok); !ok {
				return litSet{}, false
			}
		}
		return s, true
	}
	return litSet{}, false
}

func union(s, t litSet, ok bool) (litSet, bool) {
	if !ok || len(s.lits)+len(t.lits) > maxLiterals {
		return litSet{}, false
	}
	return litSet{lits: append(s.lits[:len(s.lits):len(s.lits)], t.lits...), fold: s.fold || t.fold}, true
}

func product(s, t litSet, ok bool) (litSet, bool) {
	if !ok || len(s.lits)*len(t.lits) > maxLiterals {
		return litSet{}, false
	}
	p := litSet{fold: s.fold || t.fold}
	for _, a := range s.lits {
		for _, b := range t.lits {
			p.lits = append(p.lits, a+b)
		}
	}
	return p, true
}

// required gives the best set of literals that a match cannot do without; an
// empty set if none is known.
func required(re *syntax.Regexp) litSet {
	if s, ok := exact(re); ok {
		return s
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpAlternate:
		s, ok := litSet{}, true
		for _, sub := range re.Sub {
			t := required(sub)
			s, ok = union(s, t, ok && t.shortest() > 0)
		}
		return s
	case syntax.OpConcat:
		var best litSet
		run := litSet{lits: []string{""}}
		for _, sub := range re.Sub {
			t, ok := exact(sub)
			next, fits := product(run, t, ok)
			switch {
			case fits:
				run = next
			case ok:
				run = t
			default:
				if isAssertion(sub) {
					continue
				}
				run = litSet{lits: []string{""}}
				t = required(sub)
			}
			for _, s := range []litSet{run, t} {
				if len(s.lits) > 0 && s.better(best) {
					best = s
				}
			}
		}
		return best
	}
	return litSet{}
}

func isAssertion(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return false
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}
