package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Framing says how messages are told apart on the wire.
type Framing string

// The framings.
const (
	// Headers is LSP's: "Content-Length: N", a blank line, N bytes.
	Headers Framing = "headers"
	// Lines is one message a line.
	Lines Framing = "lines"
)

const (
	// MaxMessageBytes bounds a message. A longer one is skipped and answered
	// with an error.
	MaxMessageBytes = 32 << 20
	// maxSkipBytes is the length up to which a message that is too long is
	// skipped; a longer one ends the connection.
	maxSkipBytes = 1 << 30
	// maxHeaderBytes bounds the header of a message.
	maxHeaderBytes = 4096
)

// frameError is a frame that cannot be read. Unless fatal is set the next one
// can.
type frameError struct {
	code  int
	kind  string
	text  string
	fatal bool
}

func (e *frameError) Error() string { return e.text }

// frameReader reads messages. It allocates nothing that a length announces
// before the length has been checked.
type frameReader struct {
	r       *bufio.Reader
	framing Framing
}

func newFrameReader(r io.Reader, f Framing) *frameReader {
	return &frameReader{bufio.NewReaderSize(r, 64<<10), f}
}

// next gives the next message: io.EOF at the end, a *frameError for what is
// no frame. The bytes belong to the caller.
func (f *frameReader) next() ([]byte, error) {
	if f.framing == Lines {
		return f.line()
	}
	n, err := f.header()
	if err != nil {
		return nil, err
	}
	if n > MaxMessageBytes {
		if _, err := io.CopyN(io.Discard, f.r, n); err != nil {
			return nil, eof(err)
		}
		return nil, tooLong(n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(f.r, b); err != nil {
		return nil, eof(err)
	}
	return b, nil
}

func tooLong(n int64) *frameError {
	return &frameError{CodeMessageTooLarge, "message_too_large", fmt.Sprintf("the message has %d bytes; the limit is %d", n, MaxMessageBytes), false}
}

// eof makes an end inside a frame an end.
func eof(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return err
}

// header reads up to the blank line and gives the length of the body. Names
// are compared without letter case; lines may end in "\n" alone.
func (f *frameReader) header() (int64, error) {
	bad := func(text string, fatal bool) error {
		return &frameError{CodeParseError, "parse_error", text, fatal}
	}
	length, lines, total := int64(-1), 0, 0
	for {
		l, err := f.r.ReadSlice('\n')
		total += len(l)
		if errors.Is(err, bufio.ErrBufferFull) || total > maxHeaderBytes {
			return 0, bad(fmt.Sprintf("a message header is longer than %d bytes", maxHeaderBytes), true)
		}
		if err != nil {
			return 0, eof(err)
		}
		text := strings.TrimRight(string(l), "\r\n")
		if text == "" {
			switch {
			case length >= 0:
				return length, nil
			case lines == 0:
				total = 0
				continue // blank lines between messages
			}
			return 0, bad("a message header has no Content-Length", true)
		}
		lines++
		name, value, _ := strings.Cut(text, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || length < 0 || length > maxSkipBytes {
			return 0, bad(fmt.Sprintf("bad Content-Length %.40q", strings.TrimSpace(value)), true)
		}
	}
}

// line reads one message of a line.
func (f *frameReader) line() ([]byte, error) {
	var b []byte
	var n int64
	for {
		part, err := f.r.ReadSlice('\n')
		n += int64(len(part))
		if n <= MaxMessageBytes {
			b = append(b, part...)
		}
		switch {
		case err == nil && n > MaxMessageBytes:
			return nil, tooLong(n)
		case err == nil:
			return b, nil
		case errors.Is(err, bufio.ErrBufferFull):
			if n > maxSkipBytes {
				return nil, &frameError{CodeParseError, "parse_error", "a line without end", true}
			}
		case errors.Is(err, io.EOF) && n > 0 && n <= MaxMessageBytes:
			return b, nil // a last line without its end
		default:
			return nil, err
		}
	}
}
