package editstate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// byteOrderMark at the start of a text is no part of it: the encoding has it.
const byteOrderMark = "\ufeff"

// withoutMark drops a byte order mark that text was given and was does not
// have.
func withoutMark(was, text string) string {
	if strings.HasPrefix(was, byteOrderMark) {
		return text
	}
	return strings.TrimPrefix(text, byteOrderMark)
}

var shownNumber = regexp.MustCompile(`^ *(\d+)(?:\t|→)`)

// unnumbered takes the numbers from lines that are numbered as read_file shows
// them, from first on; ok is false if they are not.
func unnumbered(lines []string, first int) (bare []string, ok bool) {
	for i, l := range lines {
		m := shownNumber.FindStringSubmatch(l)
		if m == nil || m[1] != strconv.Itoa(first+i) {
			return nil, false
		}
		bare = append(bare, l[len(m[0]):])
	}
	return bare, true
}

// pastedNumbers reports whether repl, in place of old at a place in text, begins
// its lines with the very numbers that read_file gives them there, while old has
// none. A change that puts in the numbers and nothing else means it so.
func pastedNumbers(text string, at int, old, repl string) bool {
	if repl == "" || at > 0 && text[at-1] != '\n' {
		return false
	}
	lines := strings.Split(strings.TrimSuffix(repl, "\n"), "\n")
	bare, ok := unnumbered(lines, lineAt(text, at))
	if !ok {
		return false
	}
	had := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	return !slices.ContainsFunc(had, shownNumber.MatchString) && !slices.Equal(bare, had)
}

// pastedWhole reports the same of a whole new content. Numbers alone are no
// sign here, since a table may have them: some line must be one of the file's.
func pastedWhole(old, content string) bool {
	content = unixEndings(content)
	old = viewOf(old).text
	if !pastedNumbers("", 0, old, content) {
		return false
	}
	had := strings.Split(old, "\n")
	bare, _ := unnumbered(strings.Split(strings.TrimSuffix(content, "\n"), "\n"), 1)
	return slices.ContainsFunc(bare, func(l string) bool { return l != "" && slices.Contains(had, l) })
}

func numbersPasted(display, what string) error {
	return &Error{Code: NoMatch, Path: display,
		Message: fmt.Sprintf("%s begins its lines with the line numbers that read_file shows; they are no part of %s", what, display),
		Hint:    "Leave out the number and the tab after it. If the numbers do belong in the file, put them in with an edit that changes nothing else."}
}
