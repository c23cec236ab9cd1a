package editstate

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Edit replaces Old by New. Old must occur exactly once, unless All is set.
type Edit struct {
	Old string
	New string
	All bool
}

// unixView is a text with "\n" for every "\r\n", and the way back. Models
// write "\n"; files keep their endings.
type unixView struct {
	text string
	crlf []int // places in text of the "\n" that stand for "\r\n"
}

func viewOf(text string) unixView {
	if !strings.Contains(text, "\r\n") {
		return unixView{text: text}
	}
	v := unixView{}
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.Index(text, "\r\n")
		if i < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:i])
		v.crlf = append(v.crlf, b.Len())
		b.WriteByte('\n')
		text = text[i+2:]
	}
	v.text = b.String()
	return v
}

// offset is the place in the original text of a place in the view.
func (v unixView) offset(i int) int { return i + sort.SearchInts(v.crlf, i) }

// mostPlaces bounds the places that one edit replaces.
const mostPlaces = 1 << 20

// find gives the places of old in v, overlapping ones too, but not many more
// than mostPlaces.
func (v unixView) find(old string) []int {
	var at []int
	for from := 0; ; {
		i := strings.Index(v.text[from:], old)
		if i < 0 || len(at) > mostPlaces {
			return at
		}
		at = append(at, from+i)
		if n := len(at); n > 1 {
			at = v.repeats(at, old, at[n-1]-at[n-2])
		}
		from = at[len(at)-1] + 1
	}
}

// repeats goes on from the last two places, which are step apart. If the text
// overlaps itself by more than half, each step repeats its end, and comparing
// it whole at every place would take very long.
func (v unixView) repeats(at []int, old string, step int) []int {
	if step > len(old)/2 {
		return at
	}
	for last := at[len(at)-1]; len(at) <= mostPlaces && strings.HasPrefix(v.text[last+len(old):], old[len(old)-step:]); {
		last += step
		at = append(at, last)
	}
	return at
}

// lineAt is the number of the line that holds a place, from 1.
func lineAt(text string, at int) int { return strings.Count(text[:at], "\n") + 1 }

// replacement is what one Edit does to a text.
type replacement struct {
	text  string
	spans []span // the lines that were matched
	at    int    // line of the first change
}

// apply makes one edit in text, which comes from a file of that encoding. Lines
// outside the matched text keep every byte; the rule for the endings inside is
// reconcile's.
func (w *Workspace) apply(ctx context.Context, e Edit, display, text string, enc Encoding) (replacement, error) {
	v := viewOf(text)
	old := strings.ReplaceAll(e.Old, "\r\n", "\n")
	repl := unixEndings(e.New)
	if old == "" {
		return replacement{}, &Error{Code: NoMatch, Path: display, Message: "old_string is empty",
			Hint: "Give the exact text to replace. To insert, give a line beside the place as old_string and the same line with the insertion as new_string."}
	}
	if old == repl {
		return replacement{}, &Error{Code: NoChange, Path: display, Message: "old_string and new_string are the same, apart from line endings",
			Hint: "Nothing was changed. A file keeps its line endings in an edit."}
	}
	at := w.guesses(v, text, v.find(old), len(old))
	switch {
	case len(at) == 0:
		return replacement{}, &Error{Code: NoMatch, Path: display, Message: "old_string was not found in " + display, Hint: nearMiss(ctx, w.hide(v.text), old)}
	case len(at) > mostPlaces:
		return replacement{}, &Error{Code: TooLarge, Path: display, Message: fmt.Sprintf("old_string occurs more than %d times in %s", mostPlaces, display),
			Hint: "Give a longer one."}
	case len(at) > 1 && !e.All:
		return replacement{}, &Error{Code: NoMatch, Path: display,
			Message: fmt.Sprintf("old_string occurs %d times in %s: %s", len(at), display, lineList(v.text, at)),
			Hint:    "Add lines around it so that it occurs once, or set replace_all."}
	}
	if i := slices.IndexFunc(at, func(i int) bool { return enc == Legacy && splits(v.text, i) }); i >= 0 {
		return replacement{}, &Error{Code: BadEncoding, Path: display,
			Message: fmt.Sprintf("in line %d of %s old_string begins right behind a character of an unknown 8-bit encoding, and may begin inside of it", lineAt(v.text, at[i]), display),
			Hint:    "Let old_string begin at another place: at the start of a line, a blank or a sign like = or (."}
	}
	if pastedNumbers(v.text, at[0], old, repl) {
		return replacement{}, numbersPasted(display, "new_string")
	}
	at = apart(at, len(old))
	r := replacement{at: lineAt(v.text, at[0])}
	var out strings.Builder
	out.Grow(len(text) + len(at)*max(len(repl)-len(old), 0))
	done, line, counted := 0, r.at, at[0]
	eols := endings{text: text, next: -1}
	inLine := !strings.Contains(old, "\n") && !strings.Contains(repl, "\n")
	for _, i := range at {
		from, to := v.offset(i), v.offset(i+len(old))
		out.WriteString(text[done:from])
		if inLine {
			out.WriteString(repl)
		} else {
			out.WriteString(reconcile(text[from:to], repl, false, eols.near(from)))
		}
		done = to
		line += strings.Count(v.text[counted:i], "\n")
		counted = i
		r.touch(span{line, line + strings.Count(strings.TrimSuffix(old, "\n"), "\n") + joins(v.text, i, old, repl)})
	}
	out.WriteString(text[done:])
	r.text = out.String()
	return r, nil
}

// touch adds lines to those that were matched.
func (r *replacement) touch(s span) {
	if n := len(r.spans); n > 0 && s.lo <= r.spans[n-1].hi+1 {
		r.spans[n-1].hi = max(r.spans[n-1].hi, s.hi)
		return
	}
	r.spans = append(r.spans, s)
}

// joins is 1 if the line after old at a place becomes a part of what is put in.
func joins(text string, at int, old, repl string) int {
	end := at + len(old)
	switch {
	case !strings.HasSuffix(old, "\n") || strings.HasSuffix(repl, "\n") || end == len(text):
		return 0
	case repl == "" && (at == 0 || text[at-1] == '\n'):
		return 0 // whole lines go
	}
	return 1
}

// splits reports whether a place in a text of unknown encoding may lie inside a
// character: in Shift JIS, GBK, Big5 and GB 18030 a letter or digit of ASCII can
// be the second byte of one.
func splits(text string, i int) bool {
	c := text[i]
	return i > 0 && text[i-1] >= 0x81 && (c >= 0x40 && c <= 0x7e || c >= '0' && c <= '9')
}

// unixEndings ends the lines of a new text in "\n" alone, however many carriage
// returns stand before it: the file gives them its own.
func unixEndings(s string) string {
	for strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return s
}

// apart drops places that overlap the one before.
func apart(at []int, n int) []int {
	out := at[:1]
	for _, i := range at[1:] {
		if i >= out[len(out)-1]+n {
			out = append(out, i)
		}
	}
	return out
}

// endings finds the line endings near places of a text that come in order.
type endings struct {
	text string
	next int  // the end of the line of the place before, or -1
	last bool // it is the last one of the text
}

// near is the ending of the line that holds a place, else of the line before
// it, else "\n".
func (e *endings) near(at int) string {
	if e.next < at && !e.last {
		if i := strings.IndexByte(e.text[at:], '\n'); i >= 0 {
			e.next = at + i
		} else {
			e.next, e.last = strings.LastIndexByte(e.text, '\n'), true
		}
	}
	if e.next > 0 && e.text[e.next-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineList names the lines of places: "lines 1, 3".
func lineList(text string, at []int) string {
	const most = 20
	var nums []string
	for _, i := range at {
		if len(nums) == most {
			nums = append(nums, "...")
			break
		}
		nums = append(nums, fmt.Sprint(lineAt(text, i)))
	}
	return "lines " + strings.Join(nums, ", ")
}
