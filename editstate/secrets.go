package editstate

import (
	"slices"
	"strings"
)

// Secrets knows the parts of a text that the model is not shown.
type Secrets interface {
	// Find gives their places: in order, apart from each other.
	Find(text string) []Range
	// Hide masks them; each line keeps its number.
	Hide(text string) string
}

// Range is a run of bytes in a text, To not included.
type Range struct{ From, To int }

// secretReach is how far from a place a secret can begin whose end lies there.
const secretReach = 64 << 10

// secretsNear finds the secrets around a part of a text. Looking through all of
// a large file for each edit would cost more than the edit.
func (w *Workspace) secretsNear(text string, from, to int) []Range {
	if w.cfg.Secrets == nil {
		return nil
	}
	lo, hi := max(from-secretReach, 0), min(to+secretReach, len(text))
	lo = strings.LastIndexByte(text[:lo], '\n') + 1
	if i := strings.IndexByte(text[hi:], '\n'); i >= 0 {
		hi += i
	}
	found := w.cfg.Secrets.Find(text[lo:hi])
	for i := range found {
		found[i].From += lo
		found[i].To += lo
	}
	return found
}

// diffContext is how many lines around its hunks a diff shows at most.
const diffContext = 3

// shownHunks gives the hunks of (before, after), and before, with the secrets
// in and around them masked: a part of a secret, as a diff has it, would not be
// known as one any more.
func (w *Workspace) shownHunks(before, after string, hunks []Hunk) ([]Hunk, string) {
	if w.cfg.Secrets == nil || len(hunks) == 0 {
		return hunks, before
	}
	first, last := hunks[0], hunks[len(hunks)-1]
	from := first.old.from - len(strings.Join(linesBefore(before, first.old.from, diffContext), ""))
	to := last.old.to + len(strings.Join(linesAfter(before, last.old.to, diffContext), ""))
	if len(w.secretsNear(before, from, to)) == 0 && len(w.secretsNear(after, first.new.from, last.new.to)) == 0 {
		return hunks, before
	}
	// Each line keeps its number, though not its place.
	before, after = w.hide(before), w.hide(after)
	old, now := fullLines(before), fullLines(after)
	out := slices.Clone(hunks)
	line, at := 0, 0
	for i := range out {
		h := &out[i]
		var t strings.Builder
		for ; line < h.OldStart-1; line++ {
			at += len(old[line])
		}
		h.old = piece{at, at}
		for ; line < h.OldStart-1+h.OldLines; line++ {
			writeDiffLine(&t, '-', old[line])
			at += len(old[line])
		}
		h.old.to = at
		for _, l := range now[h.NewStart-1 : h.NewStart-1+h.NewLines] {
			writeDiffLine(&t, '+', l)
		}
		h.Text = t.String()
	}
	return out, before
}

// hide masks the secrets in a text.
func (w *Workspace) hide(text string) string {
	if w.cfg.Secrets == nil {
		return text
	}
	return w.cfg.Secrets.Hide(text)
}

// guesses drops the matches of a text of n bytes that hold a part of a secret:
// whether such a text is in a file is the secret itself. Whoever has all of it
// knows it already.
func (w *Workspace) guesses(v unixView, text string, at []int, n int) []int {
	if len(at) == 0 {
		return at
	}
	secrets := w.secretsNear(text, v.offset(at[0]), v.offset(at[len(at)-1]+n))
	if len(secrets) == 0 {
		return at
	}
	var out []int
	for _, i := range at {
		from, to, part := v.offset(i), v.offset(i+n), false
		for len(secrets) > 0 && secrets[0].To <= from {
			secrets = secrets[1:]
		}
		for _, s := range secrets {
			if s.From >= to {
				break
			}
			part = part || s.From < to && from < s.To && (s.From < from || to < s.To)
		}
		if !part {
			out = append(out, i)
		}
	}
	return out
}

// uncovers refuses a change after which a part of a secret would be shown that
// is not shown now, e.g. since its name does not say any more what it is.
func (w *Workspace) uncovers(display, before, after string, hunks []Hunk) error {
	if w.cfg.Secrets == nil || len(hunks) == 0 || before == "" {
		return nil
	}
	first, last := hunks[0], hunks[len(hunks)-1]
	hidden := w.secretsNear(before, first.old.from, last.old.to)
	if len(hidden) == 0 {
		return nil
	}
	now := w.secretsNear(after, first.new.from, last.new.to)
	for _, h := range hidden {
		for part := range strings.Lines(before[h.From:h.To]) {
			part = strings.TrimSpace(part)
			if len(part) > 3 && bare(after, part, now) > bare(before, part, hidden) {
				return &Error{Code: Refused, Path: display, Message: "after this change of " + display + " a secret could be read that is masked now",
					Hint: "Leave the lines that hold it, and the names and marks beside it, as they are. If they have to change, ask the user to do it."}
			}
		}
	}
	return nil
}

// bare counts where part stands in text outside of the secrets.
func bare(text, part string, secrets []Range) (n int) {
	for at := 0; ; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return n
		}
		from := at + i
		at = from + len(part)
		covered := false
		for _, s := range secrets {
			covered = covered || s.From <= from && at <= s.To
		}
		if !covered {
			n++
		}
	}
}
