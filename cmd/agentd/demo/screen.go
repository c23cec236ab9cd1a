package demo

import (
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// Styles, as the numbers of their escape sequences.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// maxWidth is where text is broken on a terminal that is wider.
const maxWidth = 100

// screen is where the client writes: a terminal, or a file or pipe, which gets
// no escape sequences and no broken lines.
type screen struct {
	out    io.Writer
	width  func() int // 0: unlimited
	live   bool       // the last line can be written again
	colour bool
	marks  marks

	mu     sync.Mutex // guards below and out
	mid    bool       // the cursor stands in a line
	status bool       // a status line is shown
}

// marks are the signs before lines.
type marks struct{ ok, failed, running, ask, cut, note, todo, doing string }

var (
	signs  = marks{"✓", "✗", "▸", "?", "…", "!", "□", "▸"}
	simple = marks{"+", "x", ">", "?", "...", "!", "-", ">"}
)

func newScreen(f *os.File) *screen {
	s := &screen{out: f, width: func() int { return 0 }, marks: signs}
	if name := locale(os.Getenv); name != "" && !strings.Contains(strings.ReplaceAll(strings.ToLower(name), "-", ""), "utf8") {
		s.marks = simple
	}
	if !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.width = func() int {
		w, _, err := term.GetSize(int(f.Fd()))
		if err != nil || w <= 0 {
			w = 80
		}
		return min(w, maxWidth)
	}
	if os.Getenv("TERM") == "dumb" {
		s.marks = simple
		return s
	}
	s.live = showsEscapes(f)
	s.colour = s.live && os.Getenv("NO_COLOR") == ""
	return s
}

// locale is the locale of text, "" if none is set.
func locale(env func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := env(name); v != "" {
			return v
		}
	}
	return ""
}

// paint gives text a style.
func (s *screen) paint(style, text string) string {
	if !s.colour || style == "" || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// put writes text as it is. s.mu is held.
func (s *screen) put(text string) {
	if s.status {
		text = "\r\x1b[K" + text
		s.status = false
	}
	// A screen that is gone is no reason to stop a turn half-way.
	_, _ = io.WriteString(s.out, text)
}

// write writes a piece of a line.
func (s *screen) write(text string) {
	if text == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(text)
	s.mid = !strings.HasSuffix(text, "\n")
}

// line writes a whole line, on a line of its own.
func (s *screen) line(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mid {
		text = "\n" + text
	}
	s.put(text + "\n")
	s.mid = false
}

// endLine ends a line that was begun.
func (s *screen) endLine() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mid {
		s.put("\n")
		s.mid = false
	}
}

// typed says that the person has ended the line: the terminal has shown what
// was typed; elsewhere it is shown now.
func (s *screen) typed(text string, shown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !shown {
		s.put(text + "\n")
	}
	s.mid = false
}

// note shows what goes on, until anything else is written.
func (s *screen) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mid || !s.live {
		return
	}
	s.put("\r\x1b[K" + s.paint(dim, cut(text, s.width()-1, s.marks.cut)))
	s.status = true
}

// quiet takes the status line away.
func (s *screen) quiet() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status {
		s.put("")
	}
}

// para writes text in lines that fit, each one indented.
func (s *screen) para(style, indent, text string) {
	s.line("")
	s.lines(style, indent, text)
}

// lines is para without the blank line before.
func (s *screen) lines(style, indent, text string) {
	s.line(s.fold(style, indent, text))
}

// fold breaks text into lines that fit.
func (s *screen) fold(style, indent, text string) string {
	var b strings.Builder
	f := flow{emit: func(t string) { b.WriteString(t) }, width: s.width(), indent: indent, paint: func(t string) string { return s.paint(style, t) }}
	f.write(plain(strings.TrimRight(text, "\n")))
	f.end()
	return strings.TrimSuffix(b.String(), "\n")
}

// failure writes what went wrong.
func (s *screen) failure(text string) {
	s.para(red, "", text)
}
