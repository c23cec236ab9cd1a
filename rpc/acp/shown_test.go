package acp

import (
	"encoding/json"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

func TestDiffs(t *testing.T) {
	for _, tc := range []struct {
		name, op, diff string
		old, new       []string
	}{
		{"one place", "modify", "--- a\n+++ a\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n", []string{"a\nb\nd\n"}, []string{"a\nc\nd\n"}},
		{"two places", "modify", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n", []string{"a\n", "c\n"}, []string{"b\n", "d\n"}},
		{"a line like a head", "modify", "--- a\n+++ a\n@@ -1 +1 @@\n-- x\n+++ y\n", []string{"- x\n"}, []string{"++ y\n"}},
		{"no newline before", "modify", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", []string{"a"}, []string{"a\n"}},
		{"no newline after", "modify", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", []string{"a\n"}, []string{"a"}},
		{"no newline at all", "modify", "--- a\n+++ a\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n\\ No newline at end of file\n", []string{"a\nc"}, []string{"b\nc"}},
		{"new", "create", "--- a\n+++ a\n@@ -0,0 +1 @@\n+a\n", []string{"-"}, []string{"a\n"}},
		{"nothing", "modify", "", nil, nil},
	} {
		list := diffsOf(tools.FileChange{Path: "/a", Op: tc.op, Diff: tc.diff})
		if len(list) != len(tc.new) {
			t.Errorf("%s: %v", tc.name, list)
			continue
		}
		for i, d := range list {
			old := "-"
			if d.Old != nil {
				old = *d.Old
			}
			if old != tc.old[i] || d.New != tc.new[i] || d.Path != "/a" {
				t.Errorf("%s: %q -> %q", tc.name, old, d.New)
			}
		}
	}
}

func TestFenced(t *testing.T) {
	for in, want := range map[string]string{
		"a":              "```\na\n```",
		"a\n":            "```\na\n```",
		"```\nx\n```\n":  "````\n```\nx\n```\n````",
		"`````` in line": "```````\n`````` in line\n```````",
	} {
		if have := fenced(in, ""); have != want {
			t.Errorf("%q: %q, want %q", in, have, want)
		}
	}
}

func TestChunk(t *testing.T) {
	c := &chunk{session: "s", kind: "agent_message_chunk", messageID: "m", text: []byte("a\"\n\xff")}
	if _, ok := c.Join(&chunk{session: "s", kind: "agent_message_chunk", messageID: "m", text: []byte("b")}); !ok {
		t.Fatal("pieces of one message do not join")
	}
	if _, ok := c.Join(&chunk{session: "s", kind: "agent_thought_chunk", messageID: "m", text: []byte("b")}); ok {
		t.Fatal("a thought joins a message")
	}
	var have struct {
		Params struct {
			SessionID string
			Update    struct {
				SessionUpdate, MessageID string
				Content                  struct{ Type, Text string }
			}
		}
	}
	if err := json.Unmarshal(c.Encode(nil), &have); err != nil {
		t.Fatal(err)
	}
	u := have.Params.Update
	if have.Params.SessionID != "s" || u.SessionUpdate != "agent_message_chunk" || u.MessageID != "m" || u.Content.Type != "text" || u.Content.Text != "a\"\n\uFFFDb" {
		t.Errorf("%+v", have)
	}
}
