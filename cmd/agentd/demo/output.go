package demo

import (
	"fmt"
	"strings"
)

// How many lines of a command's output are shown: the first ones as they come,
// the last ones at its end.
const (
	firstLines = 15
	lastLines  = 5
)

// output shows what a command writes, whole lines only.
type output struct {
	show    func(line string)
	partial string
	count   int
	last    []string // of those that are not shown yet
}

func (o *output) add(text string) {
	o.partial += text
	for {
		line, rest, whole := strings.Cut(o.partial, "\n")
		if !whole {
			// A line without end must not grow for ever.
			if len(o.partial) > 64<<10 {
				o.partial = o.partial[:64<<10]
			}
			return
		}
		o.partial = rest
		o.line(line)
	}
}

func (o *output) line(line string) {
	// What a progress bar has written over is gone.
	line = strings.TrimRight(line, "\r")
	line = line[strings.LastIndexByte(line, '\r')+1:]
	o.count++
	if o.count <= firstLines {
		o.show(line)
		return
	}
	o.last = append(o.last, line)
	if len(o.last) > lastLines {
		o.last = o.last[1:]
	}
}

// end shows the rest.
func (o *output) end(cutMark string) {
	if o.partial != "" {
		o.line(o.partial)
		o.partial = ""
	}
	if skipped := o.count - firstLines - len(o.last); skipped > 0 {
		o.show(fmt.Sprintf("%s %d lines", cutMark, skipped))
	}
	for _, l := range o.last {
		o.show(l)
	}
	o.last = nil
}
