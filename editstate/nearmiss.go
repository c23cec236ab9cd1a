package editstate

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A likeness is a way in which a text can be almost the one asked for. canon
// makes likes equal; it works line by line.
type likeness struct {
	what  string
	canon func(string) string
}

var (
	lineNumber = regexp.MustCompile(`^\s*\d+(\t|→|:\s?|\|\s?)`)
	quotes     = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "\u00a0", " ", "…", "...")
	invisible  = strings.NewReplacer("\ufeff", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\u00ad", "")
	entities   = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&amp;", "&")
)

// maxAgain bounds the bytes that are looked at more than once for a likeness.
const maxAgain = 8 << 20

// likenesses, the closest first.
var likenesses = []likeness{
	{"trailing blanks", func(s string) string { return strings.TrimRight(s, " \t\r") }},
	{"indentation (tabs against spaces, or their number)", func(s string) string { return strings.TrimSpace(s) }},
	{"the Unicode form of a character (composed against decomposed)", norm.NFC.String},
	{"quotes, dashes or unusual spaces", quotes.Replace},
	{"invisible characters (a byte order mark, a zero-width space, a soft hyphen)", invisible.Replace},
	{"HTML entities", entities.Replace},
	{"letter case", strings.ToLower},
	{"blanks, quotes or letter case", func(s string) string {
		return strings.ToLower(strings.Join(strings.Fields(quotes.Replace(norm.NFC.String(s))), " "))
	}},
}

// nearMiss says where text has something like old and what differs. Nothing is
// ever written on the strength of a likeness.
func nearMiss(ctx context.Context, text, old string) string {
	lines := strings.Split(text, "\n")
	want := strings.Split(strings.Trim(old, "\n"), "\n")
	if stripped, ok := withoutNumbers(want); ok {
		if at := findLines(ctx, lines, stripped, strings.Clone); at >= 0 {
			return fmt.Sprintf("old_string holds the line numbers that read_file shows; without them it stands at line %d. Leave out the number and the tab after it.", at+1)
		}
	}
	for _, l := range likenesses {
		at := findLines(ctx, lines, want, l.canon)
		if at < 0 {
			continue
		}
		return fmt.Sprintf("Line %d is alike but for %s:%s\nCopy the text exactly as it stands in the file.", at+1, l.what, firstDifference(lines[at:], want))
	}
	if at := bestLine(lines, want); at >= 0 {
		return fmt.Sprintf("The nearest text is at line %d: %s\nRead that part again and copy it exactly.", at+1, quoteLine(lines[at]))
	}
	return "Nothing like it is in the file. Read the file again, or look for the right file with grep_search."
}

func withoutNumbers(lines []string) ([]string, bool) {
	out := make([]string, len(lines))
	for i, l := range lines {
		loc := lineNumber.FindStringIndex(l)
		if loc == nil {
			return nil, false
		}
		out[i] = l[loc[1]:]
	}
	return out, true
}

// findLines gives the first run of lines that equals want under canon; the
// first and last line of want may be parts of lines. -1 if there is none, or if
// finding it would take too long.
func findLines(ctx context.Context, lines, want []string, canon func(string) string) int {
	w := make([]string, len(want))
	for i, l := range want {
		w[i] = canon(l)
	}
	if strings.TrimSpace(strings.Join(w, "")) == "" {
		return -1
	}
	again := maxAgain
	for at := 0; at+len(w) <= len(lines); at++ {
		if again < 0 || at%4096 == 0 && ctx.Err() != nil {
			return -1
		}
		ok := true
		for i := range w {
			l := canon(lines[at+i])
			if i > 0 {
				again -= len(l) + 16
			}
			switch {
			case l == w[i]:
			case i == 0 && len(w) == 1 && strings.Contains(l, w[i]):
			case i == 0 && len(w) > 1 && strings.HasSuffix(l, w[i]):
			case i == len(w)-1 && len(w) > 1 && strings.HasPrefix(l, w[i]):
			default:
				ok = false
			}
			if !ok {
				break
			}
		}
		if ok {
			return at
		}
	}
	return -1
}

// firstDifference shows the first line that differs, as it is and as wanted.
func firstDifference(have, want []string) string {
	for i := range want {
		same := strings.Contains
		switch {
		case len(want) == 1:
		case i == 0:
			same = strings.HasSuffix
		case i == len(want)-1:
			same = strings.HasPrefix
		}
		if i < len(have) && !same(have[i], want[i]) {
			return fmt.Sprintf("\n  in the file:   %s\n  in old_string: %s", quoteLine(have[i]), quoteLine(want[i]))
		}
	}
	return ""
}

// quoteLine makes blanks visible.
func quoteLine(s string) string {
	const most = 160
	q := fmt.Sprintf("%q", s)
	if len(q) > most {
		q = strings.ToValidUTF8(q[:most], "") + "..."
	}
	return q
}

// bestLine finds a line that holds the longest line of want, blanks aside.
func bestLine(lines, want []string) int {
	longest := ""
	for _, l := range want {
		if t := strings.TrimSpace(l); len(t) > len(longest) {
			longest = t
		}
	}
	if len(longest) < 4 {
		return -1
	}
	for i, l := range lines {
		if strings.Contains(l, longest) {
			return i
		}
	}
	return -1
}
