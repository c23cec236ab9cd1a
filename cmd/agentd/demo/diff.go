package demo

import (
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
)

// contextLines is how many unchanged lines are shown around a hunk.
const contextLines = 2

// diffLine is a line of a shown change with its numbers in the old and the new
// file, 0 where it is not.
type diffLine struct {
	sign     byte // ' ', '+', '-', or '\\' for a remark
	old, new int
	text     string
}

// hunkLines gives the lines of hunk i of a change with their context. Unless
// it is shown alone, two hunks share the lines between them.
func hunkLines(c *editstate.Change, i int, alone bool) []diffLine {
	h := c.Hunks[i]
	var old []string
	if c.OldText != nil {
		old = strings.SplitAfter(*c.OldText, "\n")
		if old[len(old)-1] == "" {
			old = old[:len(old)-1]
		}
	}
	from, to := h.OldStart-1, h.OldStart-1+h.OldLines // the old lines [from, to)
	low, high := max(from-contextLines, 0), min(to+contextLines, len(old))
	if i > 0 {
		before := c.Hunks[i-1]
		end := before.OldStart - 1 + before.OldLines
		low = max(low, end)
		if !alone {
			low = max(low, end+afterContext(from-end))
		}
	}
	if i+1 < len(c.Hunks) {
		gap := c.Hunks[i+1].OldStart - 1 - to
		high = min(high, to+gap)
		if !alone {
			high = min(high, to+afterContext(gap))
		}
	}
	var out []diffLine
	shift := h.NewStart - h.OldStart
	for n := low; n < min(from, len(old)); n++ {
		out = append(out, diffLine{' ', n + 1, n + 1 + shift, strings.TrimSuffix(old[n], "\n")})
	}
	oldLine, newLine := h.OldStart, h.NewStart
	for _, l := range strings.Split(strings.TrimSuffix(h.Text, "\n"), "\n") {
		if l == "" {
			continue
		}
		d := diffLine{sign: l[0], text: l[1:]}
		switch d.sign {
		case '-':
			d.old = oldLine
			oldLine++
		case '+':
			d.new = newLine
			newLine++
		}
		out = append(out, d)
	}
	shift += h.NewLines - h.OldLines
	for n := to; n < high; n++ {
		out = append(out, diffLine{' ', n + 1, n + 1 + shift, strings.TrimSuffix(old[n], "\n")})
	}
	if whiteSpaceOnly(out) {
		for k := range out {
			if out[k].sign == '-' || out[k].sign == '+' {
				out[k].text = visibleSpace(out[k].text)
			}
		}
	}
	return out
}

// afterContext is how many of the lines between two hunks go with the first.
func afterContext(gap int) int { return min(contextLines, gap/2) }

// whiteSpaceOnly reports whether old and new differ in blanks alone; then they
// have to be seen.
func whiteSpaceOnly(lines []diffLine) bool {
	var old, new []string
	for _, l := range lines {
		switch l.sign {
		case '-':
			old = append(old, strings.Fields(l.text)...)
		case '+':
			new = append(new, strings.Fields(l.text)...)
		}
	}
	return len(old) > 0 && strings.Join(old, "") == strings.Join(new, "")
}

var spaces = strings.NewReplacer(" ", "·", "\t", "→\t")

func visibleSpace(s string) string { return spaces.Replace(s) }

// hunkTitle names a hunk.
func hunkTitle(c *editstate.Change, i int) string {
	if c.Op == editstate.Create {
		return "new file"
	}
	place := fmt.Sprintf("line %d", c.Hunks[i].NewStart)
	if len(c.Hunks) == 1 {
		return place
	}
	return fmt.Sprintf("hunk %d of %d, %s", i+1, len(c.Hunks), place)
}

// diff shows hunk i of a change in lines that fit; a line that does not is
// broken, never cut: the person decides about all of it.
func (s *screen) diff(c *editstate.Change, i int, alone bool) []string {
	out := []string{"  " + s.paint(cyan, hunkTitle(c, i))}
	return append(out, s.diffLines(hunkLines(c, i, alone))...)
}

func (s *screen) diffLines(lines []diffLine) []string {
	digits := 3
	for _, l := range lines {
		digits = max(digits, len(fmt.Sprint(max(l.old, l.new))))
	}
	room := s.width()
	if room > 0 {
		room = max(room-2*digits-6, 10)
	}
	var out []string
	for _, l := range lines {
		style, sign := dim, string(l.sign)
		switch l.sign {
		case '+':
			style = green
		case '-':
			style = red
		case '\\':
			sign = " "
		}
		gutter := fmt.Sprintf("  %*s %*s ", digits, lineNumber(l.old), digits, lineNumber(l.new))
		for _, part := range chop(strings.ReplaceAll(plain(l.text), "\t", "    "), room) {
			out = append(out, s.paint(dim, gutter)+s.paint(style, sign+" "+part))
			gutter = strings.Repeat(" ", len(gutter))
		}
	}
	return out
}

func lineNumber(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// changeLines shows a whole change.
func (s *screen) changeLines(c *editstate.Change) []string {
	var out []string
	for i := range c.Hunks {
		out = append(out, s.diff(c, i, false)...)
	}
	return out
}

// unified shows a diff that was already made, as results carry it.
func (s *screen) unified(diff string) []string {
	var out []string
	var lines []diffLine
	var old, new int
	for i, l := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		if i < 2 || l == "" {
			continue // the names
		}
		d := diffLine{sign: l[0], text: l[1:]}
		switch d.sign {
		case '@':
			out, lines = append(out, s.diffLines(lines)...), nil
			out = append(out, "  "+s.paint(cyan, l))
			// A header that cannot be read costs the numbers, no more.
			_, _ = fmt.Sscanf(l, "@@ -%d", &old)
			if _, plus, ok := strings.Cut(l, " +"); ok {
				_, _ = fmt.Sscanf(plus, "%d", &new)
			}
			continue
		case '-':
			d.old = old
			old++
		case '+':
			d.new = new
			new++
		case ' ':
			d.old, d.new = old, new
			old++
			new++
		}
		lines = append(lines, d)
	}
	return append(out, s.diffLines(lines)...)
}
