package search

import (
	"bytes"
	"strconv"

	"github.com/agentd-dev/agentd/editstate"
)

// renderer writes the matching lines of one file, with lines around them.
type renderer struct {
	pg      *page
	name    string
	skip    int // matches of this file that earlier pages have shown
	context int
	scan    scanner
	buf     editstate.ReadBuffer

	text    []byte
	line    int // number of the line at pos
	pos     int
	written int // number of the last line that was written
}

func (r *renderer) visit(f *editstate.WalkFile) {
	line := 1
	// An error here was seen in the first pass, or the file has just gone.
	_ = f.Pieces(&r.buf, func(piece []byte, _ bool) bool {
		r.text, r.line, r.pos = piece, line, 0
		if !r.piece() {
			return false
		}
		line += bytes.Count(piece, []byte{'\n'})
		return true
	})
}

// piece writes the matches of a piece of the file; false when the page is
// full.
func (r *renderer) piece() bool {
	hit := r.scan.hits(r.text)
	r.text = r.scan.text
	after := 0 // lines still to be written after the last match
	for {
		from, to, ok := 0, 0, hit
		if ok {
			from, to, ok = r.scan.next()
		}
		if !ok {
			r.following(len(r.text), after)
			return true
		}
		if r.skip > 0 {
			r.skip--
			continue
		}
		if r.pg.shown == r.pg.limit {
			r.following(from, after)
			return false
		}
		r.following(from, after)
		if !r.match(from, to) {
			return false
		}
		after = r.context
	}
}

// following writes up to n lines after the last one written, before the place
// end.
func (r *renderer) following(end, n int) {
	for pos, line := r.pos, r.line; n > 0 && pos < end; n-- {
		next := len(r.text)
		if i := bytes.IndexByte(r.text[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		if line > r.written {
			if r.pg.out.Len() > pageBytes {
				return
			}
			r.write(line, '-', window(trimEnd(r.text[pos:next]), nil, maxContext))
		}
		pos, line = next, line+1
		r.pos, r.line = pos, line
	}
}

// match writes a matching line and those before it.
func (r *renderer) match(from, to int) bool {
	line := r.line + bytes.Count(r.text[r.pos:from], []byte{'\n'})
	text := window(r.text[from:to], r.hit(from, to), maxLine)
	if !r.pg.room(len(r.name) + len(text) + 10) {
		return false
	}
	start, first := from, line
	for first > r.written+1 && line-first < r.context && start > 0 {
		start = bytes.LastIndexByte(r.text[:start-1], '\n') + 1
		first--
	}
	if r.context > 0 && r.pg.out.Len() > 0 && (r.written == 0 || first > r.written+1) {
		r.pg.out.WriteString("--\n")
	}
	for n := first; n < line; n++ {
		end := start + bytes.IndexByte(r.text[start:], '\n') + 1
		r.write(n, '-', window(trimEnd(r.text[start:end]), nil, maxContext))
		start = end
	}
	r.write(line, ':', text)
	r.pg.shown++
	r.pos, r.line = min(to+1, len(r.text)), line+1
	if i := bytes.IndexByte(r.text[to:], '\n'); i >= 0 {
		r.pos = to + i + 1
	} else {
		r.pos = len(r.text)
	}
	return true
}

func (r *renderer) hit(from, to int) []int {
	if to-from <= maxLine {
		return nil
	}
	return r.scan.p.re.FindIndex(r.text[from:to])
}

// write writes one line: sep is ':' for a match and '-' for a line around it.
func (r *renderer) write(line int, sep byte, text string) {
	o := &r.pg.out
	o.WriteString(r.name)
	o.WriteByte(sep)
	o.WriteString(strconv.Itoa(line))
	o.WriteByte(sep)
	o.WriteString(text)
	o.WriteByte('\n')
	r.written = line
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}
