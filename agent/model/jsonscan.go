package model

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A reply comes as thousands of small JSON objects of which three fields
// matter. The functions here walk JSON that json.Valid has accepted, without
// decoding it; values are raw JSON.

// eachField calls f for each field of an object, and not at all for anything
// else. The key is without its quotes.
func eachField(obj []byte, f func(key, value []byte)) {
	eachItem(obj, '{', f)
}

// eachElement calls f for each element of an array, and not at all for
// anything else.
func eachElement(array []byte, f func(value []byte)) {
	eachItem(array, '[', func(_, value []byte) { f(value) })
}

func eachItem(b []byte, open byte, f func(key, value []byte)) {
	i := skipSpace(b, 0)
	if i == len(b) || b[i] != open {
		return
	}
	for i = skipSpace(b, i+1); i < len(b) && b[i] != '}' && b[i] != ']'; {
		var key []byte
		if open == '{' {
			end := skipValue(b, i)
			key = b[i+1 : end-1]
			i = skipSpace(b, skipSpace(b, end)+1) // past the colon
		}
		end := skipValue(b, i)
		f(key, b[i:end])
		if i = skipSpace(b, end); i < len(b) && b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue gives the end of the value that starts at i.
func skipValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		for depth := 0; ; i++ {
			switch b[i] {
			case '"':
				i = skipString(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(b) && !strings.ContainsRune(",]} \n\t\r", rune(b[i])) {
		i++
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(b[i:], '"')
		if !escaped(b, i) {
			return i + 1
		}
	}
}

// escaped reports whether an odd number of backslashes stands before b[i].
func escaped(b []byte, i int) bool {
	n := 0
	for i--; i >= 0 && b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func isNull(value []byte) bool { return string(value) == "null" }

func isString(value []byte) bool { return len(value) > 1 && value[0] == '"' }

// unquote decodes a JSON string; other values give "".
func unquote(value []byte) string {
	if !isString(value) {
		return ""
	}
	return unescape(value[1 : len(value)-1])
}

// unescape decodes the inside of a JSON string.
func unescape(inner []byte) string {
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	quoted := make([]byte, 0, len(inner)+2)
	quoted = append(append(append(quoted, '"'), inner...), '"')
	var s string
	_ = json.Unmarshal(quoted, &s)
	return s
}

// scalarText is the text of a string, number or boolean.
func scalarText(value []byte) string {
	if isString(value) {
		return unquote(value)
	}
	if len(value) == 0 || isNull(value) || value[0] == '{' || value[0] == '[' {
		return ""
	}
	return string(value)
}

// textCarry joins the pieces of one text. Servers cut between the halves of a
// surrogate pair ("\ud83d" + "\ude00") and between the bytes of a character:
// the first half waits here for the second.
type textCarry struct{ held []byte }

// add gives the text of a JSON string that continues what was held.
func (c *textCarry) add(value []byte) string {
	if !isString(value) {
		return ""
	}
	inner := value[1 : len(value)-1]
	if len(c.held) > 0 {
		inner = append(c.held, inner...)
		c.held = nil
	}
	if n := halfCharacter(inner); n > 0 {
		cut := len(inner) - n
		c.held = bytes.Clone(inner[cut:])
		inner = inner[:cut]
	}
	return unescape(inner)
}

// rest gives what is still held, as a replacement character.
func (c *textCarry) rest() string {
	s := unescape(c.held)
	c.held = nil
	return s
}

// halfCharacter gives the length of a half character at the end of the inside
// of a JSON string.
func halfCharacter(inner []byte) int {
	if n := len(inner); n >= 6 && inner[n-6] == '\\' && inner[n-5] == 'u' && !escaped(inner, n-6) {
		if c, d := inner[n-4]|0x20, inner[n-3]|0x20; c == 'd' && (d == '8' || d == '9' || d == 'a' || d == 'b') {
			return 6
		}
	}
	for n := 1; n < utf8.UTFMax && n <= len(inner); n++ {
		if tail := inner[len(inner)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			break
		}
	}
	return 0
}
