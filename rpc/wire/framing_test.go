package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// all reads frames to the end; an error shows as "!code".
func all(r io.Reader, f Framing) []string {
	fr := newFrameReader(r, f)
	var out []string
	for {
		b, err := fr.next()
		var fe *frameError
		switch {
		case errors.As(err, &fe):
			out = append(out, fmt.Sprintf("!%d", fe.code))
			if fe.fatal {
				return append(out, "end")
			}
		case err != nil:
			return out
		default:
			out = append(out, string(b))
		}
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name    string
		framing Framing
		in      string
		want    []string
	}{
		{"two", Headers, "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1", []string{"{}", "1"}},
		{"bytes, not characters", Headers, "Content-Length: 4\r\n\r\n\U0001F642", []string{"\U0001F642"}},
		{"empty body", Headers, "Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1", []string{"", "1"}},
		{"cut body", Headers, "Content-Length: 5\r\n\r\n{}", nil},
		{"cut header", Headers, "Content-Le", nil},
		{"negative", Headers, "Content-Length: -5\r\n\r\n{}", []string{"!-32700", "end"}},
		{"huge", Headers, "Content-Length: 99999999999999999999\r\n\r\n{}", []string{"!-32700", "end"}},
		{"twice, the last counts", Headers, "Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}", []string{"{}"}},
		{"no length", Headers, "A: b\r\n\r\nContent-Length: 2\r\n\r\n{}", []string{"!-32700", "end"}},
		{"endless header", Headers, strings.Repeat("x", 100_000), []string{"!-32700", "end"}},
		{"many headers", Headers, strings.Repeat("a: b\r\n", 2000), []string{"!-32700", "end"}},
		{"lines", Lines, "{}\n[]\n", []string{"{}\n", "[]\n"}},
		{"last line without end", Lines, "{}\n[]", []string{"{}\n", "[]"}},
		{"long line", Lines, strings.Repeat("x", MaxMessageBytes+1) + "\n{}\n", []string{"!1009", "{}\n"}},
		{"long body", Headers, fmt.Sprintf("Content-Length: %d\r\n\r\n%sContent-Length: 2\r\n\r\n{}", MaxMessageBytes+1, strings.Repeat("x", MaxMessageBytes+1)), []string{"!1009", "{}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if have := all(strings.NewReader(c.in), c.framing); fmt.Sprint(have) != fmt.Sprint(c.want) {
				t.Errorf("%.200q, want %q", have, c.want)
			}
			if len(c.in) < 10_000 {
				if have := all(iotest.OneByteReader(strings.NewReader(c.in)), c.framing); fmt.Sprint(have) != fmt.Sprint(c.want) {
					t.Errorf("byte by byte: %.200q, want %q", have, c.want)
				}
			}
		})
	}
}

// FuzzStream feeds any bytes: nothing panics, and the stream comes to an end.
func FuzzStream(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}[]"))
	f.Add([]byte("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"},3]\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":5}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, framing := range []Framing{Headers, Lines} {
			var out bytes.Buffer
			box := newOutbox(&out, Lines)
			s := &stream{in: newFrameReader(bytes.NewReader(in), framing), out: box, deliver: func(uint64, *Message) bool { return false }}
			for {
				var v json.RawMessage
				if err := s.ReadObject(&v); err != nil {
					break
				}
				if s.current.batch != nil {
					s.current.batch.reply(replyFrame(s.current.id, nil, Errorf(CodeMethodNotFound, "x", "x")))
				}
			}
			box.close()
			<-box.done
			for _, l := range bytes.Split(bytes.TrimSuffix(out.Bytes(), []byte("\n")), []byte("\n")) {
				if len(l) > 0 && !json.Valid(l) {
					t.Fatalf("an answer that is no JSON: %q", l)
				}
			}
		}
	})
}

// FuzzString compares the encoder with encoding/json.
func FuzzString(f *testing.F) {
	f.Add("a\"\\\n\x00\x7f<>&\u2028é🙂\xff\xc3")
	f.Fuzz(func(t *testing.T, s string) {
		var have string
		if err := json.Unmarshal(AppendString(nil, s), &have); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		if have != want {
			t.Errorf("%q, want %q", have, want)
		}
	})
}
