package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

// mostTokens bounds what every request begins with, the system prompt and the
// tools, in tokens of four bytes.
const mostTokens = 4000

// parts of a request, byte for byte.
type parts struct {
	head     string // all but what follows
	tools    string
	messages []json.RawMessage
}

func cutUp(t *testing.T, body []byte) parts {
	t.Helper()
	var r struct {
		Messages []json.RawMessage `json:"messages"`
		Tools    json.RawMessage   `json:"tools"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(body, []byte(`"messages":[`))
	return parts{string(head), string(r.Tools), r.Messages}
}

// same checks that a request goes on where the one before it ended, which is
// what providers' caches want.
func same(t *testing.T, what string, a, b parts) {
	t.Helper()
	if a.head != b.head {
		t.Errorf("%s: the head was %s, is %s", what, a.head, b.head)
	}
	if len(b.messages) < len(a.messages) {
		t.Fatalf("%s: %d messages after %d", what, len(b.messages), len(a.messages))
	}
	for i, m := range a.messages {
		if !bytes.Equal(m, b.messages[i]) {
			t.Errorf("%s: message %d was\n%s\nis\n%s", what, i, m, b.messages[i])
		}
	}
}

// caller is an editor with one session.
type caller struct {
	t       *testing.T
	ed      *editor.Editor
	session string
	id      int
}

func (c *caller) call(method string, params map[string]any) {
	c.t.Helper()
	c.id++
	if c.session != "" {
		params["sessionId"] = c.session
	}
	var s struct{ SessionID string }
	if err := c.ed.Call(c.id, method, params, &s); err != nil {
		c.t.Fatal(err)
	}
	if s.SessionID != "" {
		c.session = s.SessionID
	}
}

func (c *caller) prompt(text string) {
	c.t.Helper()
	c.call("session/prompt", map[string]any{"prompt": []any{map[string]any{"type": "text", "text": text}}})
}

func call(t *testing.T, url, dir string) *caller {
	t.Helper()
	cmd := exec.Command(binary, "--state-dir", filepath.Join(dir, "state"), "--base-url", url, "--model", "fake", "--framing=lines")
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	ed, err := editor.Start(cmd, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ed.Kill)
	c := &caller{t: t, ed: ed}
	c.call("initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{"askUser": true, "buffers": true}})
	return c
}

// TestPrefix checks that each request begins with all of the one before it, byte
// for byte: within a turn, across turns, after a change of the mode (but to plan, which has fewer tools) and after a
// restart. Switching a tool on or off changes the list of tools, which costs the
// cache once; the messages stay as they are then, too.
func TestPrefix(t *testing.T) {
	m, err := fakemodel.New(`
		thought hm
		text "Let me <look> & see."
		call read_file {"path":"a.txt"}
		call list_directory {}
		---
		call grep_search {"pattern":"one"}
		call read_file "{broken"
		---
		text "Grüße ` + "\u2028" + `."
		---
		call read_file {"path":"a.txt"}
		---
		text Two.
		---
		text Three.
		---
		call read_file {"path":"a.txt","offset":1}
		---
		text Four.
		---
		text Five.
		---
		text Six.
	`)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	dir, ws := t.TempDir(), t.TempDir()
	file := filepath.Join(ws, "a.txt")
	if err := os.WriteFile(file, []byte("one <tag> & \\u003c é\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := call(t, m.URL, dir)
	c.call("session/new", map[string]any{"cwd": ws})
	c.prompt("go on <b>")
	if err := os.WriteFile(file, []byte("one, changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.prompt("again") // with news about the file
	c.prompt("/mode accept-edits")
	c.prompt("planning")
	before := len(m.Requests())
	c.prompt("/tool enable run_command")
	c.prompt("with another tool")
	c.prompt("and once more")
	restarted := len(m.Requests())
	if err := c.ed.CloseInput(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ed.Exit(); err != nil {
		t.Fatal(err)
	}
	session := c.session
	c = call(t, m.URL, dir)
	c.session = session
	c.call("session/load", map[string]any{})
	c.prompt("after a restart")

	if e := m.Errors(); len(e) > 0 {
		t.Fatal(e)
	}
	all := m.Requests()
	if len(all) != 10 {
		t.Fatalf("%d requests", len(all))
	}
	for i := 1; i < len(all); i++ {
		a, b := cutUp(t, all[i-1].Body), cutUp(t, all[i].Body)
		what := fmt.Sprintf("request %d", i+1)
		same(t, what, a, b)
		if changed := i == before || i == restarted; a.tools != b.tools && !changed || a.tools == b.tools && changed {
			t.Errorf("%s: the tools are the same: %v", what, a.tools == b.tools)
		}
	}
	t.Logf("the first request: %d bytes; system prompt %d bytes, tools %d bytes, %d tokens of four bytes",
		len(all[0].Body), len(all[0].System), len(cutUp(t, all[0].Body).tools), tokensOf(t, all[0].Body))
	for i, r := range all {
		if n := tokensOf(t, r.Body); n > mostTokens {
			t.Errorf("request %d begins with %d tokens, more than %d", i+1, n, mostTokens)
		}
	}
}

// tokensOf is what a request has before its messages.
func tokensOf(t *testing.T, body []byte) int {
	t.Helper()
	p := cutUp(t, body)
	return (len(p.messages[0]) + len(p.tools)) / 4
}
