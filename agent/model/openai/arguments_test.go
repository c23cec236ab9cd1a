package openai

import (
	"encoding/json"
	"regexp"
	"testing"
	"unicode/utf8"
)

// FuzzHistory checks that whatever a model calls can be sent back.
func FuzzHistory(f *testing.F) {
	for _, s := range []string{"", "null", "{}", `{"a":1}`, "[1]", `"{}"`, `"\"{}\""`, "{", "\xff", "Read File!", " x "} {
		f.Add(s, s)
	}
	name := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	f.Fuzz(func(t *testing.T, n, args string) {
		if got := validName(n); !name.MatchString(got) || name.MatchString(n) && got != n {
			t.Errorf("name %q became %q", n, got)
		}
		got := validArguments(args)
		var object map[string]any
		if !utf8.ValidString(got) || json.Unmarshal([]byte(got), &object) != nil || object == nil {
			t.Errorf("arguments %q became %q", args, got)
		}
		if validArguments(got) != got {
			t.Errorf("%q does not stay as it is", got)
		}
	})
}
