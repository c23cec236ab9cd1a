package editstate

import "strings"

// wildmatch matches text against a pattern of a .gitignore file. It follows
// git's wildmatch.c: with paths set, "*" and "?" stop at a slash and "**" as a
// whole component stands for any number of folders.
func wildmatch(pattern, text string, paths bool) bool {
	w := wildcard{pattern: pattern, text: text, paths: paths, budget: 100_000}
	return w.match(0, 0) == wildYes
}

type wildResult int

const (
	wildNo wildResult = iota
	wildYes
	wildAbort       // no match however the stars before are stretched
	wildAbortToStar // as wildAbort, up to the last "**"
)

// wildcard is one match. The budget ends patterns of many stars, which take
// exponential time, with "no match".
type wildcard struct {
	pattern, text string
	paths         bool
	budget        int
}

func (w *wildcard) match(p, t int) wildResult {
	for ; p < len(w.pattern); p, t = p+1, t+1 {
		if w.budget--; w.budget < 0 {
			return wildAbort
		}
		c := w.pattern[p]
		if t >= len(w.text) && c != '*' {
			return wildAbort
		}
		switch c {
		case '*':
			r, np, nt, again := w.star(p, t)
			if !again {
				return r
			}
			p, t = np, nt
		case '?':
			if w.paths && w.text[t] == '/' {
				return wildNo
			}
		case '[':
			end, in := w.class(p+1, w.text[t])
			if end < 0 {
				return wildAbort
			}
			if !in || w.paths && w.text[t] == '/' {
				return wildNo
			}
			p = end
		case '\\':
			if p++; p >= len(w.pattern) {
				return wildNo
			}
			c = w.pattern[p]
			fallthrough
		default:
			if w.text[t] != c {
				return wildNo
			}
		}
	}
	if t < len(w.text) {
		return wildNo
	}
	return wildYes
}

// star matches from a "*" on. With again set, matching goes on from the given
// places as if the byte there had matched.
func (w *wildcard) star(p, t int) (r wildResult, np, nt int, again bool) {
	start := p
	for p++; p < len(w.pattern) && w.pattern[p] == '*'; p++ {
	}
	crosses := !w.paths
	if p-start > 1 && w.paths {
		atStart := start == 0 || w.pattern[start-1] == '/'
		rest := w.pattern[p:]
		if atStart && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)) {
			if rest != "" && rest[0] == '/' && w.match(p+1, t) == wildYes {
				return wildYes, 0, 0, false
			}
			crosses = true
		}
	}
	if p == len(w.pattern) {
		if !crosses && strings.Contains(w.text[t:], "/") {
			return wildAbortToStar, 0, 0, false
		}
		return wildYes, 0, 0, false
	}
	if !crosses && w.pattern[p] == '/' {
		slash := strings.IndexByte(w.text[t:], '/')
		if slash < 0 {
			return wildAbortToStar, 0, 0, false
		}
		return 0, p, t + slash, true
	}
	for ; t < len(w.text); t++ {
		r := w.match(p, t)
		if r != wildNo && (!crosses || r != wildAbortToStar) {
			return r, 0, 0, false
		}
		if r == wildNo && !crosses && w.text[t] == '/' {
			return wildAbortToStar, 0, 0, false
		}
	}
	return wildAbort, 0, 0, false
}

// class matches c against the bracket expression whose inside begins at p. It
// gives the index of the closing bracket, -1 if there is none.
func (w *wildcard) class(p int, c byte) (end int, in bool) {
	negated := false
	if p < len(w.pattern) && (w.pattern[p] == '!' || w.pattern[p] == '^') {
		negated = true
		p++
	}
	prev, hasPrev := byte(0), false
	for first := true; ; first = false {
		if p >= len(w.pattern) {
			return -1, false
		}
		b := w.pattern[p]
		switch {
		case b == ']' && !first:
			return p, in != negated
		case b == '\\':
			if p++; p >= len(w.pattern) {
				return -1, false
			}
			b = w.pattern[p]
			in = in || b == c
			prev, hasPrev = b, true
		case b == '-' && hasPrev && p+1 < len(w.pattern) && w.pattern[p+1] != ']':
			p++
			b = w.pattern[p]
			if b == '\\' {
				if p++; p >= len(w.pattern) {
					return -1, false
				}
				b = w.pattern[p]
			}
			in = in || prev <= c && c <= b
			hasPrev = false
		case b == '[' && p+1 < len(w.pattern) && w.pattern[p+1] == ':':
			name, _, ok := strings.Cut(w.pattern[p+2:], "]")
			if !ok {
				return -1, false
			}
			if !strings.HasSuffix(name, ":") { // "[:" is an ordinary "[" then
				in = in || c == '['
				prev, hasPrev = b, true
				break
			}
			member, known := charClass(strings.TrimSuffix(name, ":"), c)
			if !known {
				return -1, false
			}
			in = in || member
			p += 2 + len(name)
			hasPrev = false
		default:
			in = in || b == c
			prev, hasPrev = b, true
		}
		p++
	}
}

// charClass reports whether c is in a POSIX class of ASCII.
func charClass(name string, c byte) (member, known bool) {
	lower, upper, digit := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9'
	graph := '!' <= c && c <= '~'
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || '\t' <= c && c <= '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F', true
	}
	return false, false
}
