package model

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// splitReader gives its bytes in pieces of random sizes.
type splitReader struct {
	b    []byte
	rand *rand.Rand
}

func (r *splitReader) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+r.rand.IntN(64))], r.b)
	r.b = r.b[n:]
	return n, nil
}

// FuzzReadStream checks that how the bytes are cut does not change the reply,
// that a reply ends in exactly one way, and that nothing panics.
func FuzzReadStream(f *testing.F) {
	for _, s := range streams {
		if len(s.in) < 1<<16 {
			f.Add([]byte(s.in), uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		whole := show(ReadStream(bytes.NewReader(in), nil))
		split := show(ReadStream(&splitReader{in, rand.New(rand.NewPCG(seed, 0))}, nil))
		if whole != split {
			t.Errorf("whole:\n%s\nsplit:\n%s", whole, split)
		}
		ends := 0
		for e, err := range ReadStream(bytes.NewReader(in), nil) {
			if ends > 0 {
				t.Error("something came after the end")
			}
			if _, ok := e.(Finish); ok || err != nil {
				ends++
			}
		}
		if ends != 1 {
			t.Errorf("%d ends", ends)
		}
	})
}

// zeros is an endless line.
type zeros struct{ read int }

func (z *zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	z.read += len(p)
	return len(p), nil
}

func TestEndlessLine(t *testing.T) {
	z := &zeros{}
	got := show(ReadStream(io.MultiReader(strings.NewReader(say("a")+"data: "), z), nil))
	compare(t, "endless line", got, "text \"a\"\nerror bad_reply: a server-sent event is longer than 32 MiB")
	if z.read > maxSSEEvent {
		t.Errorf("read %d bytes", z.read)
	}
}

// again repeats its text without an end.
type again struct{ text, rest string }

func (r *again) Read(p []byte) (int, error) {
	if r.rest == "" {
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func TestEndlessReply(t *testing.T) {
	text := say(strings.Repeat("x", 1<<20))
	args := tool(`{"id":"a","function":{"arguments":"` + strings.Repeat("x", 1<<20) + `"}}`)
	calls := tool(strings.TrimSuffix(strings.Repeat(`{"function":{"name":"f","arguments":"{}"}},`, 50), ","))
	for chunk, want := range map[string]string{
		text:  "the reply is longer than 64 MiB",
		args:  "the reply is longer than 64 MiB",
		calls: "the reply has more than 512 tool calls",
	} {
		var last error
		for _, err := range ReadStream(&again{text: chunk}, nil) {
			last = err
		}
		if last == nil || last.Error() != want {
			t.Errorf("got %v, want %s", last, want)
		}
	}
}

func BenchmarkReadStream(b *testing.B) {
	in := strings.Repeat(say("some words "), 5000) + endStop
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		for range ReadStream(strings.NewReader(in), nil) {
		}
	}
}
