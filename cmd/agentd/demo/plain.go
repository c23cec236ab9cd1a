package demo

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// plain makes text from elsewhere safe to show: what would move the cursor,
// change colours or reorder the line is written out, so that nothing can pass
// itself off as something else.
func plain(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteString("^" + string(r+'@'))
		case r == 0x7f:
			b.WriteString("^?")
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

const zeroWidthJoiner = 0x200d // part of many emoji

func hidden(r rune) bool {
	return r != '\n' && r != '\t' && r != zeroWidthJoiner && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029)
}

// escapes are the sequences by which programs colour their output.
var escapes = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][0-9A-Za-z])`)

// oneLine makes a single line of text.
func oneLine(s string) string { return strings.Join(strings.Fields(plain(s)), " ") }

// textWidth counts the columns that text takes.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut shortens text to columns, 0 for no limit.
func cut(s string, columns int, mark string) string {
	if columns <= 0 || textWidth(s) <= columns {
		return s
	}
	columns -= textWidth(mark)
	for i, r := range s {
		if columns -= runeWidth(r); columns < 0 {
			return s[:i] + mark
		}
	}
	return s
}

// chop breaks text into pieces of at most columns.
func chop(s string, columns int) []string {
	if columns <= 0 {
		return []string{s}
	}
	var out []string
	start, left := 0, columns
	for i, r := range s {
		if w := runeWidth(r); w > left && i > start {
			out = append(out, s[start:i])
			start, left = i, columns
		}
		left -= runeWidth(r)
	}
	return append(out, s[start:])
}
