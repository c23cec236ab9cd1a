package search

import "bytes"

// finder finds a few literals in a text, with the speed of bytes.Index. With
// fold set, the letters A to Z match their lower-case forms too; the literals
// are then in lower case.
type finder struct {
	lits [][]byte
	fold bool
	rare []rareByte // of each literal, for fold
}

// rareByte is the byte of a literal that is looked for first.
type rareByte struct {
	off          int
	lower, upper byte
}

func newFinder(lits []string, fold bool) *finder {
	f := &finder{fold: fold}
	for _, l := range lits {
		b := []byte(l)
		if fold {
			b = bytes.ToLower(b)
			f.rare = append(f.rare, rarest(b))
		}
		f.lits = append(f.lits, b)
	}
	return f
}

// common holds the bytes of source code, the most frequent first.
const common = " etaoinsrhldcumfpgwybvkxjqz\t\n()_.,ETAOINSRHLDCUMFPGWYBVKXJQZ0123456789"

func rank(b byte) int {
	if i := bytes.IndexByte([]byte(common), b); i >= 0 {
		return i
	}
	return len(common)
}

func rarest(lit []byte) rareByte {
	best, at := -1, 0
	for i, b := range lit {
		if r := min(rank(b), rank(upper(b))); r > best {
			best, at = r, i
		}
	}
	return rareByte{off: at, lower: lit[at], upper: upper(lit[at])}
}

func upper(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}

// none marks a cursor that has found its last hit.
const none = -1

// cursors remember how far each literal has been looked for in one text.
type cursors struct {
	at   []int // the next hit of a literal at or after the last place asked for
	low  []int // the next rare byte in lower case, in upper case
	high []int
}

func (c *cursors) reset(n int) {
	if len(c.at) != n {
		c.at, c.low, c.high = make([]int, n), make([]int, n), make([]int, n)
	}
	for i := range n {
		c.at[i], c.low[i], c.high[i] = -2, -2, -2
	}
}

// next gives the first place at or after from where a literal begins, -1 if
// there is none. c belongs to b and from never falls.
func (f *finder) next(b []byte, from int, c *cursors) int {
	best := none
	for i := range f.lits {
		if c.at[i] != none && c.at[i] < from {
			if f.fold {
				c.at[i] = f.nextFold(b, from, i, c)
			} else if c.at[i] = bytes.Index(b[from:], f.lits[i]); c.at[i] >= 0 {
				c.at[i] += from
			}
		}
		if at := c.at[i]; at >= 0 && (best < 0 || at < best) {
			best = at
		}
	}
	return best
}

func (f *finder) nextFold(b []byte, from, i int, c *cursors) int {
	lit, r := f.lits[i], f.rare[i]
	for at := from + r.off; at < len(b); at++ {
		c.low[i] = nextByte(b, at, c.low[i], r.lower)
		if r.upper != r.lower {
			c.high[i] = nextByte(b, at, c.high[i], r.upper)
		} else {
			c.high[i] = none
		}
		at = c.low[i]
		if at < 0 || c.high[i] >= 0 && c.high[i] < at {
			at = c.high[i]
		}
		if at < 0 {
			return none
		}
		if s := at - r.off; s+len(lit) <= len(b) && equalFold(b[s:s+len(lit)], lit) {
			return s
		}
	}
	return none
}

// nextByte moves a cursor on to at or beyond.
func nextByte(b []byte, at, cursor int, c byte) int {
	if cursor == none || cursor >= at {
		return cursor
	}
	if k := bytes.IndexByte(b[at:], c); k >= 0 {
		return at + k
	}
	return none
}

func equalFold(b, want []byte) bool {
	for i, c := range want {
		if lower(b[i]) != c {
			return false
		}
	}
	return true
}
