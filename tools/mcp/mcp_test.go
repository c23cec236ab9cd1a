package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

// serverBinary is tests/mcpserver.
var serverBinary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "agentd-mcp-")
	if err != nil {
		panic(err)
	}
	serverBinary = filepath.Join(dir, "mcpserver")
	if out, err := exec.Command("go", "build", "-o", serverBinary, "github.com/agentd-dev/agentd/tests/mcpserver").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("building the server: %v\n%s", err, out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func TestToolName(t *testing.T) {
	for _, tc := range []struct{ server, tool, want string }{
		{"github", "create_issue", "mcp__github__create_issue"},
		{"chrome-devtools-mcp", "take-snapshot", "mcp__chrome-devtools-mcp__take-snapshot"},
		{"a", "b__c", "mcp__a__b__c"},
	} {
		if got := toolName(tc.server, tc.tool); got != tc.want {
			t.Errorf("%s %s: %s", tc.server, tc.tool, got)
		}
	}
	// Names that could be taken for others, or cannot be told, end in a hash.
	seen := map[string]string{"mcp__a__b__c": "a b__c"}
	for _, pair := range [][2]string{{"a__b", "c"}, {"a_", "_b__c"}, {"a", "_b"}, {"", "x"}, {"x", ""}, {"日本", "日本"}, {"日本", "語"}, {"a.b", "c/d"}, {"a/b", "c.d"},
		{strings.Repeat("long", 20), "t"}, {"s", strings.Repeat("long", 20)}, {"s", strings.Repeat("long", 20) + "2"}, {"_", "_"}, {"__", "__"}} {
		name := toolName(pair[0], pair[1])
		if len(name) > 64 || foreign.MatchString(name) || !strings.HasPrefix(name, Prefix) {
			t.Errorf("%q: %s", pair, name)
		}
		if other, taken := seen[name]; taken {
			t.Errorf("%q and %s are both %s", pair, other, name)
		}
		seen[name] = strings.Join(pair[:], " ")
	}
}

func FuzzToolName(f *testing.F) {
	f.Add("a", "b", "c", "d")
	f.Fuzz(func(t *testing.T, s1, t1, s2, t2 string) {
		a, b := toolName(s1, t1), toolName(s2, t2)
		if len(a) > 64 || foreign.MatchString(a) {
			t.Errorf("%q %q: %s", s1, t1, a)
		}
		if a == b && (s1 != s2 || t1 != t2) {
			t.Errorf("%q %q and %q %q are both %s", s1, t1, s2, t2, a)
		}
	})
}

func TestExpand(t *testing.T) {
	environ := []string{"A=1", "NESTED=${A}", "EMPTY="}
	c := Config{Type: typeStdio, Command: "${A}/x", Args: []string{"${A}-${A}", "$A", "${EMPTY}", "${NO:-d ${A}", "$(id)"}, Env: map[string]string{"X": "${NESTED}"}}
	got, err := c.expand(environ)
	if err != nil || got.Command != "1/x" || !slices.Equal(got.Args, []string{"1-1", "$A", "", "d ${A", "$(id)"}) || got.Env["X"] != "${A}" {
		t.Errorf("%+v %v", got, err)
	}
	if c.Args[0] != "${A}-${A}" {
		t.Error("the configuration was changed")
	}
	if _, err := (Config{Type: typeHTTP, URL: "https://${HOST}/"}).expand(environ); err == nil || !strings.Contains(err.Error(), "no HOST") {
		t.Error(err)
	}
	if _, err := (Config{Type: typeHTTP, URL: "${A}"}).expand(environ); err == nil {
		t.Error("a url that is none")
	}
}

func TestParse(t *testing.T) {
	parse := func(text string, source ServerSource) ([]Config, error) {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		return Parse(m, source)
	}
	for text, want := range map[string]string{
		`{"x": {}}`: "needs a command", `{"x": {"type": "pipe", "command": "y"}}`: "unknown type", `{"x": {"url": "file:///x"}}`: "not one of http",
		`{"x": {"comand": "y"}}`: "unknown field", `{"x": {"command": "y", "type": "stdio", "url": "http://x"}}`: "one of them", `{" ": {"command": "y"}}`: "needs a name",
		`{"x": {"command": "y", "timeoutSeconds": -1}}`: "not negative", `{"x": 7}`: "cannot unmarshal",
	} {
		if _, err := parse(text, FromUser); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	list, err := parse(`{"b": {"command": "y", "trusted": true, "other": 1}, "a": {"url": "http://x/mcp", "trusted": true}}`, FromWorkspace)
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[0].Type != typeHTTP || list[0].Trusted || list[1].Trusted {
		t.Errorf("%+v %v", list, err)
	}
	all, dropped := Merge([]Config{{Name: "a"}, {Name: "z", Disabled: true}}, []Config{{Name: "a"}, {Name: "b"}, {Name: "z"}})
	if len(all) != 2 || len(dropped) != 2 {
		t.Errorf("%v %v", all, dropped)
	}
}

func testConfig(name string, args ...string) Config {
	return Config{Name: name, Type: typeStdio, Command: serverBinary, Args: args, Source: FromUser}
}

// TestShared: sessions come and go side by side, on two folders, while servers die;
// there is one process of a server at a time, and in the end none, and no goroutine.
func TestShared(t *testing.T) {
	before := runtime.NumGoroutine()
	hub := NewHub(os.Environ(), "test")
	a, b := t.TempDir(), t.TempDir()
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			dir := a
			if i%2 == 1 {
				dir = b
			}
			changes := 0
			var mu sync.Mutex
			set := hub.Open([]Config{testConfig("one"), testConfig("two", "-exit", "3")}, []string{dir}, func() { mu.Lock(); changes++; mu.Unlock() })
			defer set.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			set.Wait(ctx)
			d := &tools.Dispatcher{Registry: tools.OpenRegistry(), More: set.Registry, Gate: openGate{}, Env: &tools.Env{}}
			if i%5 == 4 {
				d.Run(ctx, &tools.Invocation{ID: "c", Name: "mcp__one__die", Args: "{}"})
				return
			}
			for range 5 {
				r := d.Run(ctx, &tools.Invocation{ID: "c", Name: "mcp__one__echo", Args: `{"text":"x"}`})
				if r.Status != tools.Success && r.Error.Code != tools.CodeUnavailable {
					t.Errorf("%s", r.Text)
				}
			}
			_ = set.Status()
		})
	}
	wg.Wait()
	hub.Close()
	if out, err := exec.Command("pgrep", "-f", serverBinary).Output(); err == nil {
		t.Errorf("processes are left: %s", out)
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}

type openGate struct{}

func (openGate) Judge(*tools.Request) tools.Verdict { return tools.Verdict{Ruling: tools.Run} }

func (openGate) Confirm(context.Context, *tools.Request) (tools.Answer, error) {
	return tools.Answer{Decision: tools.Allow}, nil
}

func TestTail(t *testing.T) {
	var l tail
	for range 100 {
		fmt.Fprint(&l, strings.Repeat("ä", 999))
	}
	fmt.Fprint(&l, "the end")
	if s := l.String(); len(s) > tailBytes+2 || !strings.HasSuffix(s, "äthe end") {
		t.Errorf("%d bytes", len(s))
	}
	fmt.Fprint(&l, strings.Repeat("x", 1<<20))
	if len(l.buf) > 2*tailBytes || l.String() != strings.Repeat("x", tailBytes) {
		t.Errorf("%d bytes", len(l.buf))
	}
}

func TestPromptValues(t *testing.T) {
	p := Prompt{Command: "p", Arguments: []string{"who", "how"}, Required: 1}
	for args, want := range map[string]string{
		"Ann": "Ann|", "Ann very warmly": "Ann|very warmly", "how=coldly Ann Lee": "Ann Lee|coldly", "": "needs who [how]", "how=x": "needs", "who=a how=b c": "takes no",
	} {
		v, err := p.values(args)
		got := v["who"] + "|" + v["how"]
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s", args, got)
		}
	}
}
