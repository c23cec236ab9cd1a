package search

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
)

// dfa finds lines that may match a regular expression, at about a byte per
// nanosecond. It is built as it runs, from the compiled program, and takes a
// few things for granted that the real matcher checks afterwards: word
// boundaries hold, and a character outside ASCII matches any such bytes. So it
// reports every line that matches, and seldom another one.
//
// A dfa belongs to one goroutine.
type dfa struct {
	prog   *syntax.Prog
	wide   []bool // by instruction: it matches something outside ASCII
	states []dfaState
	index  map[string]int32
	seen   []uint32 // by instruction: round in which it was added
	round  uint32
	set    []uint32
	sorted []uint32
	start  int32 // the state at the start of a line
}

// dfaState is a set of instructions to go on from, and where each byte leads.
type dfaState struct {
	next  [256]int32 // unbuilt if not known yet
	insts []uint32
	match bool // a match ends before the byte that led here, or here
}

const (
	unbuilt   int32 = -1
	inLine    int32 = 0   // inside a line, with nothing begun
	maxStates       = 512 // 1 KB each; then all are forgotten
)

func newDFA(prog *syntax.Prog) *dfa {
	d := &dfa{prog: prog, seen: make([]uint32, len(prog.Inst)), wide: make([]bool, len(prog.Inst))}
	for i := range prog.Inst {
		d.wide[i] = matchesWide(&prog.Inst[i])
	}
	d.forget()
	return d
}

// forget drops all states but the first: inside a line, and at its start. They
// are one where the expression does not ask for the start of a line.
func (d *dfa) forget() {
	d.states, d.index = d.states[:0], map[string]int32{}
	for _, lineStart := range []bool{false, true} {
		d.clear()
		d.add(uint32(d.prog.Start), lineStart, false)
		d.start = d.state(false)
	}
}

func (d *dfa) clear() {
	d.round++
	d.set = d.set[:0]
}

// add follows the program from pc without reading a byte. lineStart and
// lineEnd say which assertions hold.
func (d *dfa) add(pc uint32, lineStart, lineEnd bool) {
	if d.seen[pc] == d.round {
		return
	}
	d.seen[pc] = d.round
	in := &d.prog.Inst[pc]
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		d.add(in.Out, lineStart, lineEnd)
		d.add(in.Arg, lineStart, lineEnd)
	case syntax.InstCapture, syntax.InstNop:
		d.add(in.Out, lineStart, lineEnd)
	case syntax.InstEmptyWidth:
		switch op := syntax.EmptyOp(in.Arg); {
		case op&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0 && !lineStart:
		case op&(syntax.EmptyEndLine|syntax.EmptyEndText) != 0 && !lineEnd:
			d.set = append(d.set, pc) // waits for the end of the line
		default:
			d.add(in.Out, lineStart, lineEnd)
		}
	case syntax.InstFail:
	default:
		d.set = append(d.set, pc)
	}
}

// state finds the state of the set, or makes it.
func (d *dfa) state(match bool) int32 {
	key := d.key(match)
	if id, known := d.index[string(key)]; known {
		return id
	}
	s := dfaState{insts: slices.Clone(d.set), match: match}
	for _, pc := range s.insts {
		s.match = s.match || d.prog.Inst[pc].Op == syntax.InstMatch
	}
	for i := range s.next {
		s.next[i] = unbuilt
	}
	d.states = append(d.states, s)
	id := int32(len(d.states) - 1)
	d.index[string(key)] = id
	return id
}

func (d *dfa) key(match bool) []byte {
	d.sorted = append(d.sorted[:0], d.set...)
	slices.Sort(d.sorted)
	k := make([]byte, 1, 1+4*len(d.sorted))
	if match {
		k[0] = 1
	}
	for _, pc := range d.sorted {
		k = binary.LittleEndian.AppendUint32(k, pc)
	}
	return k
}

// step builds where byte b leads from state s. The state may be forgotten
// meanwhile; the answer is valid.
func (d *dfa) step(s int32, b byte) int32 {
	insts := d.states[s].insts
	match := false
	if b == '\n' || b == '\r' {
		match = d.endsMatch(insts)
	}
	if b == '\n' {
		if !match {
			d.states[s].next[b] = d.start
			return d.start
		}
		d.clear()
		d.add(uint32(d.prog.Start), true, false)
	} else {
		d.clear()
		for _, pc := range insts {
			in := &d.prog.Inst[pc]
			switch in.Op {
			case syntax.InstMatch, syntax.InstEmptyWidth:
				continue
			}
			if b >= 0x80 {
				if d.wide[pc] {
					// More bytes of the character may follow.
					if d.seen[pc] != d.round {
						d.seen[pc] = d.round
						d.set = append(d.set, pc)
					}
					d.add(in.Out, false, false)
				}
			} else if in.MatchRune(rune(b)) {
				d.add(in.Out, false, false)
			}
		}
		d.add(uint32(d.prog.Start), false, false)
	}
	if len(d.states) < maxStates {
		next := d.state(match)
		d.states[s].next[b] = next
		return next
	}
	set := slices.Clone(d.set)
	d.forget()
	d.set = append(d.set[:0], set...)
	return d.state(match)
}

// endsMatch reports whether the end of the line completes a match.
func (d *dfa) endsMatch(insts []uint32) bool {
	d.clear()
	for _, pc := range insts {
		if in := &d.prog.Inst[pc]; in.Op == syntax.InstEmptyWidth {
			d.add(in.Out, true, true) // the line may be empty: the matcher sees
		}
	}
	for _, pc := range d.set {
		switch in := &d.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstEmptyWidth:
			return true // several assertions in a row: let the matcher see
		}
	}
	return false
}

// next gives a place in the next line that may match, at or after from, which
// is the start of a line; -1 if there is none. The place is inside the line or
// at the newline that ends it.
func (d *dfa) next(b []byte, from int) int {
	st := d.start
	if d.states[st].match {
		if from < len(b) {
			return from
		}
		return none
	}
	for i := from; i < len(b); i++ {
		if st == inLine {
			// Most of a text leads from here back to here.
			t := &d.states[inLine].next
			for i+4 <= len(b) && t[b[i]] == inLine && t[b[i+1]] == inLine && t[b[i+2]] == inLine && t[b[i+3]] == inLine {
				i += 4
			}
			if i == len(b) {
				break
			}
		}
		n := d.states[st].next[b[i]]
		if n < 0 {
			n = d.step(st, b[i])
		}
		if d.states[n].match {
			return i
		}
		st = n
	}
	if len(b) > from && b[len(b)-1] != '\n' && d.endsMatch(d.states[st].insts) {
		return len(b) - 1
	}
	return none
}

// matchesWide reports whether an instruction can match outside ASCII. Letter
// case is folded beyond it: the Kelvin sign is a k.
func matchesWide(in *syntax.Inst) bool {
	switch in.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	case syntax.InstRune, syntax.InstRune1:
	default:
		return false
	}
	for _, r := range in.Rune {
		if r >= 0x80 {
			return true
		}
		if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				if f >= 0x80 {
					return true
				}
			}
		}
	}
	return false
}
