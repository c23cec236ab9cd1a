package demo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// input is where the person types, line by line. A line is read only when it
// is wanted, so that a program that is started meanwhile has the terminal for
// itself.
type input struct {
	file     *os.File
	terminal bool
	lines    *bufio.Reader

	mu      sync.Mutex // held while a line is awaited
	pending chan typed // a line that is being read; nil if none is
	over    bool       // the input has ended, for good
}

type typed struct {
	text string
	err  error
}

func newInput(f *os.File) *input {
	return &input{file: f, terminal: term.IsTerminal(int(f.Fd())), lines: bufio.NewReader(f)}
}

// line waits for a line, without blanks around it. At the end of the input it
// is io.EOF, also if reading failed. A line that comes too late for a question
// that was taken back is given to the next one.
func (in *input) line(ctx context.Context) (string, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.over {
		return "", io.EOF
	}
	if in.pending == nil {
		ch := make(chan typed, 1)
		in.pending = ch
		go func() {
			text, err := in.lines.ReadString('\n')
			if text != "" {
				err = nil
			}
			ch <- typed{strings.TrimSpace(text), err}
		}()
	}
	select {
	case t := <-in.pending:
		in.pending = nil
		if t.err != nil {
			in.over = true
			return "", io.EOF
		}
		return t.text, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// discard forgets what was typed before a question was on the screen: nobody
// allows what they have not seen. What comes from a file or pipe was meant so.
func (in *input) discard() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.terminal {
		return
	}
	// The terminal may have nothing to forget, or not know how.
	_ = flushInput(in.file)
	if in.pending == nil {
		_, _ = in.lines.Discard(in.lines.Buffered()) // cannot fail: it is buffered
		return
	}
	select {
	case t := <-in.pending:
		in.pending = nil
		in.over = t.err != nil
	default:
	}
}

// ask shows a prompt and waits for a line.
func (in *input) ask(ctx context.Context, s *screen, prompt string) (string, error) {
	s.write(prompt)
	text, err := in.line(ctx)
	switch {
	case err == nil:
		s.typed(text, in.terminal)
	case errors.Is(err, io.EOF):
		s.endLine()
	}
	return text, err
}
