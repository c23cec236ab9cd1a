package demo

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	for _, c := range []struct {
		args string
		want options
	}{
		{"", options{model: scripted, prompt: samplePrompt}},
		{"--yes", options{model: scripted, prompt: samplePrompt, yes: true}},
		{"--dir d mend it --yes", options{dir: "d", prompt: "mend it", yes: true}},
		{"--enable a --enable b --model m", options{model: "m", prompt: samplePrompt, enable: []string{"a", "b"}}},
		{"--base-url u", options{baseURL: "u", prompt: samplePrompt}},
	} {
		have, err := parseFlags(strings.Fields(c.args))
		if err != nil || !reflect.DeepEqual(have, c.want) {
			t.Errorf("%q: %+v %v", c.args, have, err)
		}
	}
}

func TestSelf(t *testing.T) {
	for arg, want := range map[string]string{"bin/agentd": "bin/agentd", "agentd": "agentd", "/tmp/go-build1/exe/agentd": "agentd"} {
		if have := self(arg, "/tmp/"); have != want {
			t.Errorf("%s: %s", arg, have)
		}
	}
}
