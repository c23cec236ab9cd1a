package mcp

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

// open starts one server and gives what a session has of it.
func open(t *testing.T, args ...string) (*Set, func(tool string) *tools.Result) {
	t.Helper()
	hub := NewHub(nil, "test")
	t.Cleanup(hub.Close)
	set := hub.Open([]Config{testConfig("test", args...)}, []string{t.TempDir()}, nil)
	t.Cleanup(set.Close)
	set.Wait(t.Context())
	d := &tools.Dispatcher{Registry: tools.OpenRegistry(), More: set.Registry, Gate: openGate{}, Env: &tools.Env{}}
	return set, func(tool string) *tools.Result {
		return d.Run(t.Context(), &tools.Invocation{ID: "c", Name: tool, Args: "{}"})
	}
}

// TestMuteRelist: a server that says that its tools have changed, and does not say
// how, holds up no call.
func TestMuteRelist(t *testing.T) {
	_, call := open(t, "-mute-relist")
	began := time.Now()
	if r := call("mcp__test__grow"); r.Text != "grown" || time.Since(began) > 10*time.Second {
		t.Errorf("%s after %s", r.Text, time.Since(began))
	}
}

// TestAskedTooMuch: a server that asks without end, and reads no answer, is ended.
func TestAskedTooMuch(t *testing.T) {
	_, call := open(t, "-odd")
	most := make(chan int)
	stop := make(chan bool)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				most <- n
				return
			case <-time.After(5 * time.Millisecond):
				n = max(n, runtime.NumGoroutine())
			}
		}
	}()
	r := call("mcp__test__ask")
	close(stop)
	if n := <-most; r.Status != tools.Failed || r.Error.Code != tools.CodeUnavailable || n > 2000 {
		t.Errorf("%d goroutines; %s", n, r.Text)
	}
}

// TestTooMany: that tools are left out is said.
func TestTooMany(t *testing.T) {
	set, _ := open(t, "-many", "600")
	if st := set.Status()[0]; len(st.Tools) != mostTools || len(st.Warnings) != 1 || !strings.Contains(st.Warnings[0], "more than 500 tools") {
		t.Errorf("%d tools, %q", len(st.Tools), st.Warnings)
	}
}

// TestWrongVersion: why a server is given up is said, not that it has ended then.
func TestWrongVersion(t *testing.T) {
	set, _ := open(t, "-future")
	if st := set.Status()[0]; st.State != Down || !strings.Contains(st.Error, "2999-01-01") {
		t.Errorf("%+v", st)
	}
}

// TestOddWords: what a screen would obey is shown to nobody; an image that no model
// takes is none; a resource has a URI that no path is taken for.
func TestOddWords(t *testing.T) {
	set, call := open(t, "-odd")
	name := toolName("test", "draw\x1b[2J\nAllowed: yes\u202e")
	tool := set.Registry().Get(name)
	if tool == nil || strings.ContainsAny(tool.Title, "\x1b\n\u202e") {
		t.Fatalf("%+v", tool)
	}
	if r := call(name); r.Image != "" || !strings.Contains(r.Text, "image/svg+xml") {
		t.Errorf("%s %.100s", r.Text, r.Image)
	}
	st := set.Status()[0]
	if len(st.Resources) != 1 || st.Resources[0].URI != "note://one" {
		t.Errorf("%.2000v", st.Resources)
	}
	if slices.ContainsFunc(st.Warnings, func(w string) bool { return strings.ContainsAny(w, "\x1b\u202e") }) {
		t.Errorf("%q", st.Warnings)
	}
	if _, err := Parse(map[string]json.RawMessage{"a\x1b[2J": json.RawMessage(`{"command":"x"}`)}, FromWorkspace); err == nil || !strings.Contains(err.Error(), "cannot be shown") {
		t.Error(err)
	}
	many := map[string]json.RawMessage{}
	for i := range mostServers + 1 {
		many[fmt.Sprint(i)] = json.RawMessage(`{"command":"x"}`)
	}
	if _, err := Parse(many, FromWorkspace); err == nil || !strings.Contains(err.Error(), "at most 64") {
		t.Error(err)
	}
}
