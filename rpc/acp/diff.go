package acp

import (
	"strings"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// diff is a change of a file, or of a place in it.
type diff struct {
	Type string  `json:"type"` // "diff"
	Path string  `json:"path"` // absolute
	Old  *string `json:"oldText,omitempty"`
	New  string  `json:"newText"`
}

// proposed shows a change that the person is asked about: whole, or place by
// place where it is too large.
func proposed(c *editstate.Change) (list []diff) {
	path := c.Loc().Path()
	if c.NewText != nil && (c.OldText != nil || c.Op == editstate.Create) {
		return []diff{{"diff", path, c.OldText, *c.NewText}}
	}
	for _, h := range c.Hunks {
		list = append(list, hunkDiff(path, h.Text))
	}
	return list
}

// diffsOf shows what was written, place by place, from its unified diff.
func diffsOf(c tools.FileChange) (list []diff) {
	var hunk strings.Builder
	flush := func() {
		if hunk.Len() > 0 {
			d := hunkDiff(c.Path, hunk.String())
			if c.Op == string(editstate.Create) {
				d.Old = nil
			}
			list = append(list, d)
			hunk.Reset()
		}
	}
	inside := false
	for l := range strings.Lines(c.Diff) {
		if strings.HasPrefix(l, "@@ ") {
			flush()
			inside = true
		} else if inside {
			hunk.WriteString(l)
		}
	}
	flush()
	return list
}

// hunkDiff makes the two texts of a hunk's lines.
func hunkDiff(path, hunk string) diff {
	var before, after string
	last := byte(0)
	for l := range strings.Lines(hunk) {
		rest := l[1:]
		switch l[0] {
		case '-':
			before += rest
		case '+':
			after += rest
		case ' ':
			before += rest
			after += rest
		case '\\': // "No newline at end of file" is about the line before
			if last != '+' {
				before = strings.TrimSuffix(before, "\n")
			}
			if last != '-' {
				after = strings.TrimSuffix(after, "\n")
			}
		}
		last = l[0]
	}
	return diff{"diff", path, &before, after}
}
