package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// DefaultCap bounds a result in bytes.
const DefaultCap = 50_000

// capText shortens a text that is longer than limit: the head and, longer, the
// tail are kept, cut between lines where possible and never inside a
// character. The whole text goes to the spool, where read_file can page it.
func capText(s *Spool, name, text string, limit int) (string, bool) {
	if limit <= 0 {
		limit = DefaultCap
	}
	if len(text) <= limit {
		return text, false
	}
	where := "the rest was not kept"
	if s != nil {
		if path, err := s.Save(name, text); err == nil {
			where = "the whole text is in " + path + ", which read_file can page"
		}
	}
	marker := func(cut int) string {
		return fmt.Sprintf("\n[... %d of %d bytes left out; %s ...]\n", cut, len(text), where)
	}
	room := max(limit-len(marker(len(text))), 0)
	head := headOf(text, room/3)
	tail := tailOf(text[len(head):], room-len(head))
	return head + marker(len(text)-len(head)-len(tail)) + tail, true
}

// headOf gives at most n bytes from the start, whole lines if one fits.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i > n/2 {
		n = i + 1
	}
	return s[:n]
}

// tailOf gives at most n bytes from the end, whole lines if one fits.
func tailOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from := len(s) - n
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 && i < (len(s)-from)/2 {
		from += i + 1
	}
	return s[from:]
}
