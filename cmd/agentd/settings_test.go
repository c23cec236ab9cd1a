package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModelSettings(t *testing.T) {
	read := func(text string) (config, error) {
		path := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return readConfigFile(path, os.Getenv)
	}
	c, err := read(`{"provider":{"reasoning":true},"models":["a",{"id":"b","vision":false}],"prices":{"a":{"input":1,"output":2,"cached":0}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if a := c.settings("a"); len(a) != 2 || !*a[0].Reasoning || a[1].Vision != nil {
		t.Errorf("%+v", a)
	}
	if b := c.settings("b"); len(b) != 2 || *b[1].Vision {
		t.Errorf("%+v", b)
	}
	if x := c.settings("x"); len(x) != 1 {
		t.Errorf("%+v", x)
	}
	for text, want := range map[string]string{
		`{"models":[{"vision":false}]}`:                       `needs an "id"`,
		`{"models":[{"id":"a","eyes":false}]}`:                `unknown field "eyes"`,
		`{"models":[{"id":"a","emptyContent":"x"}]}`:          "the model a: emptyContent",
		`{"provider":{"maxTokens":0}}`:                        "provider: maxTokens",
		`{"prices":{"a":{"input":-1,"output":2}}}`:            "the prices of a",
		`{"prices":{"a":{"input":1,"output":2,"cache":0.1}}}`: "unknown field",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestChildEnviron: the key is not handed on under another name, also if there is a
// blank around it where agentd has it from.
func TestChildEnviron(t *testing.T) {
	got := childEnviron([]string{"MODEL_API_KEY=the-key\r", "OTHER=the-key", "URL=https://the-key@host", "HOME=/root"}, []string{"the-key\r", ""})
	if len(got) != 1 || got[0] != "HOME=/root" {
		t.Errorf("%q", got)
	}
}
