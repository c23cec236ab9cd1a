package model

import (
	"strings"
	"testing"
)

// TestThinkSplit: however a reply is cut into pieces, thinking and answer are told
// apart.
func TestThinkSplit(t *testing.T) {
	for _, c := range []struct{ in, text, thought string }{
		{"<think>I see.</think>\n\nThe answer.", "The answer.", "I see."},
		{"\n <think>\na < b\n</think>\n", "", "\na < b\n"},
		{"The answer with <think>marks</think>.", "The answer with <think>marks</think>.", ""},
		{"<thinking is fun>", "<thinking is fun>", ""},
		{"<think>never ends </thin", "", "never ends </thin"},
		{"<thi", "<thi", ""},
		{"<think></think>x<think>y</think>", "x<think>y</think>", ""},
		{"", "", ""},
	} {
		for size := 1; size <= max(len(c.in), 1); size++ {
			var s thinkSplit
			var text, thought strings.Builder
			take := func(a, b string) { text.WriteString(a); thought.WriteString(b) }
			for rest := c.in; rest != ""; {
				n := min(size, len(rest))
				take(s.add(rest[:n]))
				rest = rest[n:]
			}
			take(s.end())
			if text.String() != c.text || thought.String() != c.thought {
				t.Fatalf("%q in pieces of %d: %q and %q", c.in, size, text.String(), thought.String())
			}
		}
	}
}
