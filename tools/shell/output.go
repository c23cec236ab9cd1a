package shell

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// fullBytes is how much of an output is read as text and kept in a file.
	// Of what comes after it only the end is looked at.
	fullBytes = 32 << 20
	// tailRaw is how much of the end that is.
	tailRaw = 64 << 10
	// textRoom is the room for the output in a result; the rest of the cap is
	// for what is said around it.
	textRoom = runCap - 1200
)

// output takes what a command writes: it shows it to the person as it comes,
// keeps its two ends for the model, and all of it in a file if it is long.
// Memory is bounded whatever comes.
type output struct {
	spool *tools.Spool

	mu      sync.Mutex
	live    *live
	masked  *tools.RedactStream // before anything is cut
	strip   stripper
	redraw  redraw
	plain   []byte // scratch: text of a piece
	lines   []byte // scratch: its finished lines
	head    []byte // the first textRoom bytes
	tail    window // of the text
	raw     window // of what comes after fullBytes
	text    int64  // bytes of text so far
	bytes   int64  // bytes written so far
	file    *tools.SpoolFile
	noSpool bool
	done    bool
}

func newOutput(show func(string), spool *tools.Spool) *output {
	return &output{spool: spool, live: newLive(show), masked: spool.Redactor().Stream(), tail: window{limit: textRoom}, raw: window{limit: tailRaw}}
}

// Write takes a piece of output. It never fails.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return len(b), nil
	}
	o.bytes += int64(len(b))
	if o.bytes > fullBytes {
		o.raw.add(b)
		return len(b), nil
	}
	o.plain = o.strip.strip(o.plain[:0], b)
	o.live.add(o.plain)
	o.lines = o.redraw.text(o.lines[:0], o.plain)
	o.keep([]byte(o.masked.Next(string(o.lines))))
	return len(b), nil
}

// keep takes finished text.
func (o *output) keep(text []byte) {
	if room := textRoom - len(o.head); room > 0 {
		o.head = append(o.head, text[:min(room, len(text))]...)
	}
	before := o.text
	o.text += int64(len(text))
	if o.text > textRoom && !o.noSpool {
		o.save(text, before)
	}
	o.tail.add(text)
}

// save writes text to the file; it is made when the output gets too long for
// the model, with what has come before.
func (o *output) save(text []byte, before int64) {
	if o.file == nil {
		if o.spool == nil {
			o.noSpool = true
			return
		}
		f, err := o.spool.Create("output")
		if err != nil {
			o.noSpool = true
			return
		}
		o.file = f.Masked()
		text = slices.Concat(o.head[:min(before, int64(len(o.head)))], text)
	}
	if _, err := o.file.Write(text); err != nil {
		o.noSpool = true
	}
}

// shown is an output as the model sees it.
type shown struct {
	text      string
	truncated bool
	spool     string
	bytes     int64
}

// finish ends the output: what comes later is dropped.
func (o *output) finish() shown {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done = true
	o.keep([]byte(o.masked.Next(string(o.redraw.end(o.redraw.text(nil, o.strip.end(nil)))))))
	o.keep([]byte(o.masked.End()))
	o.live.end()
	s := shown{bytes: o.bytes}
	if o.file != nil {
		if err := o.file.Close(); err == nil && !o.noSpool {
			s.spool = o.file.Path()
		}
	}
	more := o.bytes > fullBytes
	if o.text <= textRoom && !more {
		s.text = string(o.head)
		return s
	}
	s.truncated = true
	tail := o.tail.bytes()
	if more {
		var st stripper
		var rd redraw
		tail = rd.end(rd.text(nil, st.end(st.strip(nil, o.raw.bytes()))))
		tail = []byte(o.spool.Redactor().Text(string(tail)))
	}
	s.text = o.ends(tail, s.spool, more)
	return s
}

// ends puts the two ends together, cut so that no word is: a secret that is
// cut in two would not be recognised by the redactor.
func (o *output) ends(tail []byte, file string, more bool) string {
	where := "the rest was not kept"
	switch {
	case file != "" && more:
		where = fmt.Sprintf("the first %d MiB are in %s, which read_file can page", fullBytes>>20, file)
	case file != "":
		where = fmt.Sprintf("the whole output is in %s, which read_file can page", file)
	}
	marker := fmt.Sprintf("\n[... the middle of %d bytes of output is left out; %s ...]\n", o.bytes, where)
	head := cutEnd(o.head[:min(len(o.head), textRoom/3)])
	room := textRoom - len(head) - len(marker)
	if len(tail) > room {
		tail = cutStart(tail[len(tail)-room:])
	}
	return string(bytes.TrimRight(head, "\n")) + marker + string(tail)
}

// cutEnd drops an unfinished line from the end, or an unfinished word where
// that would leave too little.
func cutEnd(b []byte) []byte {
	if i := bytes.LastIndexByte(b, '\n'); i > len(b)/2 {
		return b[:i+1]
	}
	if i := bytes.LastIndexAny(b, " \t\n"); i > len(b)/2 {
		return b[:i+1]
	}
	return trimPartial(b)
}

// cutStart drops the rest of a line from the start, or of a word.
func cutStart(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)/2 {
		return b[i+1:]
	}
	if i := bytes.IndexAny(b, " \t\n"); i >= 0 && i < len(b)/2 {
		return b[i+1:]
	}
	for len(b) > 0 && b[0]&0xc0 == 0x80 {
		b = b[1:]
	}
	return b
}

// trimPartial drops the first bytes of a character from the end.
func trimPartial(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-4; i-- {
		if b[i]&0xc0 != 0x80 {
			if b[i] >= 0xc0 {
				return b[:i]
			}
			break
		}
	}
	return b
}

// window keeps the last bytes of what is added.
type window struct {
	limit int
	b     []byte
}

func (w *window) add(b []byte) {
	if len(b) >= w.limit {
		w.b = append(w.b[:0], b[len(b)-w.limit:]...)
		return
	}
	if len(w.b)+len(b) > 4*w.limit {
		w.b = append(w.b[:0], w.bytes()...)
	}
	w.b = append(w.b, b...)
}

func (w *window) bytes() []byte { return w.b[max(len(w.b)-w.limit, 0):] }
