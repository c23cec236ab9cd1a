package demo

import "strings"

// flow breaks text that comes in pieces into lines: a word that does not fit
// goes to the next line. A word is held back until it is whole, and blank
// lines until something follows them.
type flow struct {
	emit   func(string)
	paint  func(string) string
	width  int // 0: lines are not broken
	indent string

	col   int // of the cursor; 0 before the indent is written
	gap   int // blanks that are due before the next word
	feeds int // ends of lines that are due before it
	word  strings.Builder
	begun bool
}

func (f *flow) write(text string) {
	for _, r := range text {
		switch r {
		case '\n':
			f.flush()
			f.gap = 0
			if f.begun {
				f.feeds++
			}
		case ' ', '\t':
			f.flush()
			f.gap++
		default:
			f.word.WriteRune(r)
		}
	}
}

// flush writes the word.
func (f *flow) flush() {
	word := f.word.String()
	if word == "" {
		return
	}
	f.word.Reset()
	f.begun = true
	if f.feeds > 0 {
		f.emit(strings.Repeat("\n", f.feeds))
		f.col, f.feeds = 0, 0
	}
	w := textWidth(word)
	if f.width > 0 && f.col > len(f.indent) && f.col+f.gap+w > f.width {
		f.emit("\n")
		f.col, f.gap = 0, 0
	}
	lead := strings.Repeat(" ", f.gap)
	if f.col == 0 {
		lead = f.indent + lead
	}
	f.emit(lead + f.paint(word))
	f.col += len(lead) + w
	f.gap = 0
}

// end writes what is held back and ends the line.
func (f *flow) end() {
	f.flush()
	if f.col > 0 {
		f.emit("\n")
	}
	f.col, f.gap, f.feeds = 0, 0, 0
}
