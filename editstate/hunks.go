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
}

// hunksOf gives the differences between two texts. A carriage return before
// "\n" is part of the line, so a change of line endings shows.
func hunksOf(before, after string) []Hunk {
	a, b := fullLines(before), fullLines(after)
	var hunks []Hunk
	for i, d := range diffLines(a, b) {
		h := Hunk{
			ID:       fmt.Sprintf("h%d", i+1),
			OldStart: d.Start + 1, OldLines: d.End - d.Start,
			NewStart: d.ReplStart + 1, NewLines: d.ReplEnd - d.ReplStart,
		}
		var t strings.Builder
		for _, l := range a[d.Start:d.End] {
			writeDiffLine(&t, '-', l)
		}
		for _, l := range b[d.ReplStart:d.ReplEnd] {
			writeDiffLine(&t, '+', l)
		}
		h.Text = t.String()
		hunks = append(hunks, h)
	}
	return hunks
}

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
	a, b := fullLines(before), fullLines(after)
	var out strings.Builder
	at := 0
	for _, h := range hunks {
		if !accept(h.ID) {
			continue
		}
		for ; at < h.OldStart-1; at++ {
			out.WriteString(a[at])
		}
		for _, l := range b[h.NewStart-1 : h.NewStart-1+h.NewLines] {
			out.WriteString(l)
		}
		at = h.OldStart - 1 + h.OldLines
	}
	for ; at < len(a); at++ {
		out.WriteString(a[at])
	}
	return out.String()
}

// Unified shows hunks as a unified diff with three lines of context.
func unified(name, before string, hunks []Hunk) string {
	const context = 3
	if len(hunks) == 0 {
		return ""
	}
	a := fullLines(before)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	for i := 0; i < len(hunks); {
		// Gather hunks whose contexts touch.
		j := i + 1
		for j < len(hunks) && hunks[j].OldStart-(hunks[j-1].OldStart+hunks[j-1].OldLines) <= 2*context {
			j++
		}
		first, last := hunks[i], hunks[j-1]
		from := max(first.OldStart-1-context, 0)
		to := min(last.OldStart-1+last.OldLines+context, len(a))
		grow := last.NewStart + last.NewLines - (last.OldStart + last.OldLines) - (first.NewStart - first.OldStart)
		newFrom := from + first.NewStart - first.OldStart
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", rangeOf(from, to-from), rangeOf(newFrom, to-from+grow))
		at := from
		for _, h := range hunks[i:j] {
			for ; at < h.OldStart-1; at++ {
				writeDiffLine(&out, ' ', a[at])
			}
			out.WriteString(h.Text)
			at = h.OldStart - 1 + h.OldLines
		}
		for ; at < to; at++ {
			writeDiffLine(&out, ' ', a[at])
		}
		i = j
	}
	return out.String()
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
