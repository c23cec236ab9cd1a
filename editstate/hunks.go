package editstate

import (
	"fmt"
	"strings"
)

// Hunk is one contiguous run of changed lines, without context, so that any
// subset of the hunks of a change can be applied. Lines count from 1. A hunk
// that only inserts has OldLines 0 and stands before line OldStart; one that
// only deletes has NewLines 0 and likewise.
type Hunk struct {
	ID       string `json:"id"`
	OldStart int    `json:"oldStart"`
	OldLines int    `json:"oldLines"`
	NewStart int    `json:"newStart"`
	NewLines int    `json:"newLines"`
	// Text is the hunk's body in the unified format: "-" and "+" lines.
	Text string `json:"text"`

	old, new piece // the same as places in the texts
}

// piece is a part of a text, in bytes.
type piece struct{ from, to int }

// hunksOf gives the differences between two texts. A carriage return before
// "\n" is part of the line, so a change of line endings shows. What is equal at
// both ends is passed over as bytes, not as lines: most changes of large files
// are small.
func hunksOf(before, after string) []Hunk {
	head, tail := equalEnds(before, after)
	a := fullLines(before[head : len(before)-tail])
	b := fullLines(after[head : len(after)-tail])
	line := strings.Count(before[:head], "\n") + 1
	atOld, atNew := head, head // the bytes up to lines i and k
	hunks := []Hunk{}
	i, k := 0, 0
	for n, d := range diffLines(a, b) {
		for ; i < d.Start; i++ {
			atOld += len(a[i])
		}
		for ; k < d.ReplStart; k++ {
			atNew += len(b[k])
		}
		h := Hunk{
			ID:       fmt.Sprintf("h%d", n+1),
			OldStart: line + d.Start, OldLines: d.End - d.Start,
			NewStart: line + d.ReplStart, NewLines: d.ReplEnd - d.ReplStart,
			old: piece{atOld, atOld}, new: piece{atNew, atNew},
		}
		var t strings.Builder
		for _, l := range a[d.Start:d.End] {
			h.old.to += len(l)
			writeDiffLine(&t, '-', l)
		}
		for _, l := range b[d.ReplStart:d.ReplEnd] {
			h.new.to += len(l)
			writeDiffLine(&t, '+', l)
		}
		h.Text = t.String()
		hunks = append(hunks, h)
	}
	return hunks
}

// equalEnds gives how many bytes of whole lines are equal at the start and at
// the end of two texts.
func equalEnds(a, b string) (head, tail int) {
	const block = 4096
	most := min(len(a), len(b))
	for head+block <= most && a[head:head+block] == b[head:head+block] {
		head += block
	}
	for head < most && a[head] == b[head] {
		head++
	}
	head = strings.LastIndexByte(a[:head], '\n') + 1
	most -= head
	for tail+block <= most && a[len(a)-tail-block:len(a)-tail] == b[len(b)-tail-block:len(b)-tail] {
		tail += block
	}
	for tail < most && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	// The equal end begins after a line ending of its own.
	for tail > 0 && !(startsLine(a, len(a)-tail) && startsLine(b, len(b)-tail)) {
		i := strings.IndexByte(a[len(a)-tail:], '\n')
		if i < 0 {
			return head, 0
		}
		tail -= i + 1
	}
	return head, tail
}

func startsLine(s string, i int) bool { return i == 0 || s[i-1] == '\n' }

func writeDiffLine(t *strings.Builder, sign byte, l string) {
	t.WriteByte(sign)
	t.WriteString(shown(l))
	if !strings.HasSuffix(l, "\n") {
		t.WriteString("\n\\ No newline at end of file\n")
	}
}

// fullLines cuts text into lines that keep their endings.
func fullLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// applyHunks gives before with those hunks of (before, after) applied that
// accept names.
func applyHunks(before, after string, hunks []Hunk, accept func(id string) bool) string {
	var out strings.Builder
	out.Grow(max(len(before), len(after)))
	at := 0
	for _, h := range hunks {
		if accept(h.ID) {
			out.WriteString(before[at:h.old.from])
			out.WriteString(after[h.new.from:h.new.to])
			at = h.old.to
		}
	}
	out.WriteString(before[at:])
	return out.String()
}

// unified shows hunks as a unified diff with three lines of context.
func unified(name, before string, hunks []Hunk) string {
	const context = diffContext
	if len(hunks) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	for i := 0; i < len(hunks); {
		// Gather hunks whose contexts touch.
		j := i + 1
		for j < len(hunks) && hunks[j].OldStart-(hunks[j-1].OldStart+hunks[j-1].OldLines) <= 2*context {
			j++
		}
		first, last := hunks[i], hunks[j-1]
		lead := linesBefore(before, first.old.from, context)
		trail := linesAfter(before, last.old.to, context)
		from := first.OldStart - 1 - len(lead)
		size := last.OldStart - 1 + last.OldLines + len(trail) - from
		grow := last.NewStart + last.NewLines - (last.OldStart + last.OldLines) - (first.NewStart - first.OldStart)
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", rangeOf(from, size), rangeOf(from+first.NewStart-first.OldStart, size+grow))
		for _, l := range lead {
			writeDiffLine(&out, ' ', l)
		}
		for k, h := range hunks[i:j] {
			if k > 0 {
				for _, l := range fullLines(before[hunks[i+k-1].old.to:h.old.from]) {
					writeDiffLine(&out, ' ', l)
				}
			}
			out.WriteString(h.Text)
		}
		for _, l := range trail {
			writeDiffLine(&out, ' ', l)
		}
		i = j
	}
	return out.String()
}

// linesBefore gives the last n lines of text before a place.
func linesBefore(text string, at, n int) []string {
	from := at
	for ; n > 0 && from > 0; n-- {
		from = strings.LastIndexByte(text[:from-1], '\n') + 1
	}
	return fullLines(text[from:at])
}

// linesAfter gives the first n lines of text from a place on.
func linesAfter(text string, at, n int) []string {
	to := at
	for ; n > 0 && to < len(text); n-- {
		i := strings.IndexByte(text[to:], '\n')
		if i < 0 {
			to = len(text)
			break
		}
		to += i + 1
	}
	return fullLines(text[at:to])
}

// rangeOf writes a range of lines as diff does; from counts from 0.
func rangeOf(from, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}
