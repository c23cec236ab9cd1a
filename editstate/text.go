package editstate

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// Encoding says how the bytes of a file become text.
type Encoding string

// The encodings. Legacy is anything that is neither UTF-8 nor UTF-16 with a
// byte order mark: its bytes are kept as they are and only ASCII is written.
const (
	UTF8    Encoding = "utf-8"
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
	Legacy  Encoding = "unknown-8bit"
	UTF32   Encoding = "utf-32" // known by its byte order mark, and refused
	Binary  Encoding = "binary"
)

var (
	bomUTF8 = []byte{0xEF, 0xBB, 0xBF}
	bomLE   = []byte{0xFF, 0xFE}
	bomBE   = []byte{0xFE, 0xFF}
	bom32LE = []byte{0xFF, 0xFE, 0, 0}
	bom32BE = []byte{0, 0, 0xFE, 0xFF}
)

// sniffBytes is how much of a file is searched for a NUL byte, which marks it
// as binary.
const sniffBytes = 64 << 10

// Doc is the content of a file as text, together with all that is needed to
// give back the same bytes.
//
// Text is without byte order mark and keeps its line endings. For Legacy it
// holds the file's bytes unchanged, so it may be invalid UTF-8; anything made
// from parts of Text encodes to the same parts of the file.
type Doc struct {
	Text     string
	Encoding Encoding
	BOM      bool
}

// Decode reads bytes as text; the Doc holds on to them, and they must not be
// changed. Content that is not text gives an empty Text.
func Decode(b []byte) Doc {
	switch {
	case bytes.HasPrefix(b, bomUTF8):
		d := Doc{Text: asText(b[3:]), Encoding: UTF8, BOM: true}
		if !utf8.ValidString(d.Text) {
			d.Encoding = Legacy
		}
		return d
	case len(b)%4 == 0 && (bytes.HasPrefix(b, bom32LE) || bytes.HasPrefix(b, bom32BE)):
		return Doc{Encoding: UTF32}
	case bytes.HasPrefix(b, bomLE):
		return decode16(b, UTF16LE)
	case bytes.HasPrefix(b, bomBE):
		return decode16(b, UTF16BE)
	case bytes.IndexByte(b[:min(len(b), sniffBytes)], 0) >= 0:
		return Doc{Encoding: Binary}
	case utf8.Valid(b):
		return Doc{Text: asText(b), Encoding: UTF8}
	}
	return Doc{Text: asText(b), Encoding: Legacy}
}

// asText and asBytes change the type and copy nothing: a file may have 64 MiB.
// The bytes of a File are never written to.
func asText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func asBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// decode16 decodes UTF-16. What does not survive the way there and back (a
// lone surrogate, an odd byte) is binary to us: it could not be kept. So is
// what holds U+0000, which no text does.
func decode16(b []byte, enc Encoding) Doc {
	d := Doc{Encoding: enc, BOM: true}
	text, err := codec16(enc).NewDecoder().Bytes(b[2:])
	if err != nil {
		return Doc{Encoding: Binary}
	}
	d.Text = string(text)
	if back, err := d.Encode(d.Text); err != nil || !bytes.Equal(back, b) || strings.IndexByte(d.Text, 0) >= 0 {
		return Doc{Encoding: Binary}
	}
	return d
}

func codec16(enc Encoding) encoding.Encoding {
	if enc == UTF16BE {
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
}

// Encode gives the bytes of text in d's encoding, with its byte order mark. They
// must not be changed.
func (d Doc) Encode(text string) ([]byte, error) {
	switch d.Encoding {
	case UTF16LE, UTF16BE:
		if !utf8.ValidString(text) {
			return nil, &Error{Code: BadEncoding, Message: "the text is not valid Unicode"}
		}
		body, err := codec16(d.Encoding).NewEncoder().Bytes([]byte(text))
		if err != nil {
			return nil, &Error{Code: BadEncoding, Message: "the text cannot be written as " + string(d.Encoding), Err: err}
		}
		bom := bomLE
		if d.Encoding == UTF16BE {
			bom = bomBE
		}
		return append(bom[:2:2], body...), nil
	case UTF32, Binary:
		return nil, &Error{Code: BadEncoding, Message: "the file is binary"}
	}
	if d.BOM {
		return append(bomUTF8[:3:3], text...), nil
	}
	return asBytes(text), nil
}

// checkNew refuses text that cannot be put into the file without changing its
// encoding: only ASCII is the same in every legacy encoding.
func (d Doc) checkNew(display, text string) error {
	switch {
	case !utf8.ValidString(text):
		return &Error{Code: BadEncoding, Path: display, Message: "the new text is not valid UTF-8", Hint: "Send it as plain Unicode text."}
	case d.Encoding != Legacy:
		return nil
	}
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return &Error{Code: BadEncoding, Path: display,
				Message: display + " is neither UTF-8 nor UTF-16 (a legacy 8-bit encoding); only ASCII text can be put into it without damage",
				Hint:    "Use ASCII in the new text, or convert the file to UTF-8 first, e.g. with iconv."}
		}
	}
	return nil
}

// shown is text as a reader of JSON sees it: each byte that is not UTF-8
// becomes U+FFFD.
func shown(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// line is one line of a text: its content, and its ending ("\n", "\r\n", "\r",
// or "" for an unfinished last line).
type line struct{ text, eol string }

// splitLines cuts text into lines. With lone set, a carriage return by itself
// ends a line too, as it does in VS Code and other editors.
func splitLines(text string, lone bool) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for len(text) > 0 {
		i := strings.IndexByte(text, '\n')
		if lone {
			if j := strings.IndexByte(text, '\r'); j >= 0 && (i < 0 || j < i-1) {
				lines = append(lines, line{text[:j], "\r"})
				text = text[j+1:]
				continue
			}
		}
		switch {
		case i < 0:
			return append(lines, line{text, ""})
		case i > 0 && text[i-1] == '\r':
			lines = append(lines, line{text[:i-1], "\r\n"})
		default:
			lines = append(lines, line{text[:i], "\n"})
		}
		text = text[i+1:]
	}
	return lines
}

// LineCount counts lines as read_file numbers them: only "\n" (with or without
// "\r" before it) ends a line; an unfinished last line counts.
func LineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// dominantEOL is the ending that most lines of text have; "\n" if none has any.
func dominantEOL(text string) string {
	crlf := strings.Count(text, "\r\n")
	if crlf > strings.Count(text, "\n")-crlf {
		return "\r\n"
	}
	return "\n"
}

// looksAlike refuses a new content of a text of unknown encoding that leaves out
// one of several lines that differ only in bytes that nobody was shown: which
// one cannot be known.
func looksAlike(display, old, content string) error {
	count := map[string]int{}
	for _, l := range splitLines(content, true) {
		count[l.text]++
	}
	first, had, twice := map[string]string{}, map[string]int{}, map[string]bool{}
	for _, l := range splitLines(old, true) {
		key := shown(l.text)
		if key == l.text {
			continue
		}
		had[key]++
		if was, seen := first[key]; seen && was != l.text {
			twice[key] = true
		}
		first[key] = l.text
	}
	for key := range twice {
		if n := count[key]; n != 0 && n != had[key] {
			return &Error{Code: BadEncoding, Path: display,
				Message: fmt.Sprintf("%s has several lines that all show as %q but differ in its unknown encoding; which of them to keep cannot be told", display, key),
				Hint:    "Keep them all, or change the file with edit_file."}
		}
	}
	return nil
}

// wideText names what binary content seems to be, if it is text of two bytes a
// character that cannot be kept.
func wideText(b []byte) string {
	if bytes.HasPrefix(b, bomLE) || bytes.HasPrefix(b, bomBE) {
		return "UTF-16 with damaged characters"
	}
	b = b[:min(len(b), 4096)]
	var zeros [2]int
	for i, c := range b {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(b) / 2
	switch {
	case zeros[0] == 0 && half > 1 && zeros[1] > half*3/4:
		return "UTF-16 (little-endian) without a byte order mark"
	case zeros[1] == 0 && half > 1 && zeros[0] > half*3/4:
		return "UTF-16 (big-endian) without a byte order mark"
	}
	return ""
}
