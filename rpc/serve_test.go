package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/builtin"
)

// oneModel is a Models with one replay.
type oneModel struct{ script string }

func (o oneModel) Open(string) (model.Model, error) {
	return model.NewReplay("test", strings.NewReader(o.script), model.Options{})
}
func (o oneModel) List() []agent.ModelInfo { return []agent.ModelInfo{{ID: "replay:test"}} }

const readAndEdit = `{"agentd":"replay","version":1}
{"request":{}}
{"call":{"name":"read_file","arguments":{"path":"a.txt"}}}
{"request":{}}
{"call":{"name":"edit_file","arguments":{"path":"a.txt","old_string":"one","new_string":"two"}}}
{"request":{}}
{"text":"Done."}
`

// peer is the client's end of a server in this process.
type peer struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Scanner
	code chan int
}

func startPeer(t *testing.T, script string) *peer {
	t.Helper()
	registry, err := tools.NewRegistry(builtin.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	a := agent.New(agent.Config{Models: oneModel{script}, Registry: registry, Host: editstate.NewHost(""), StateDir: t.TempDir()})
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: bufio.NewScanner(outR), code: make(chan int, 1)}
	p.out.Buffer(nil, MaxMessageBytes)
	go func() {
		p.code <- Serve(context.Background(), Config{In: inR, Out: outW, Framing: Lines, Agent: a, Name: "test"})
		outW.Close()
	}()
	return p
}

func (p *peer) send(format string, a ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", a...); err != nil {
		p.t.Fatal(err)
	}
}

// reply is what tests look at of a message.
type reply struct{ Result json.RawMessage }

// until reads messages up to the first that holds a text.
func (p *peer) until(text string) reply {
	p.t.Helper()
	for p.out.Scan() {
		if strings.Contains(p.out.Text(), text) {
			var m reply
			if err := json.Unmarshal(p.out.Bytes(), &m); err != nil {
				p.t.Fatal(err)
			}
			return m
		}
	}
	p.t.Fatalf("no message with %q", text)
	return reply{}
}

// open opens a connection and a session over a folder with a.txt.
func (p *peer) open() (session, file string) {
	dir := p.t.TempDir()
	file = filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("one\n"), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"capabilities":{"confirm":{},"askUser":true}}}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%q}}`, dir)
	var r SessionNewResult
	if err := json.Unmarshal(p.until(`"id":2,`).Result, &r); err != nil {
		p.t.Fatal(err)
	}
	return r.SessionID, file
}

// TestNothingIsLeft runs a turn to its end and another into an open
// confirmation, hangs up, and looks for goroutines that are still there.
func TestNothingIsLeft(t *testing.T) {
	before := stacks()
	p := startPeer(t, readAndEdit)
	session, file := p.open()
	p.send(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`, session)
	p.until(`"ui/confirm"`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"decision":"allow"}}`)
	p.until(`"stopReason":"end_turn"`)
	if b, err := os.ReadFile(file); err != nil || string(b) != "two\n" {
		t.Fatalf("%q %v", b, err)
	}
	session, _ = p.open2(t)
	p.send(`{"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`, session)
	p.until(`"ui/confirm"`)
	p.in.Close()
	p.until(`"stopReason":"cancelled"`)
	if code := <-p.code; code != 0 {
		t.Errorf("exit code %d", code)
	}
	var left []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if left = newStacks(before); len(left) == 0 {
			return
		}
	}
	t.Errorf("goroutines that are left:\n%s", strings.Join(left, "\n\n"))
}

// open2 opens one more session.
func (p *peer) open2(t *testing.T) (session, file string) {
	dir := t.TempDir()
	file = filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":4,"method":"session/new","params":{"cwd":%q}}`, dir)
	var r SessionNewResult
	if err := json.Unmarshal(p.until(`"id":4,`).Result, &r); err != nil {
		t.Fatal(err)
	}
	return r.SessionID, file
}

// stacks counts goroutines by where they were made.
func stacks() map[string]int {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	out := map[string]int{}
	for _, s := range strings.Split(string(buf), "\n\n") {
		_, origin, ok := strings.Cut(s, "created by ")
		if ok {
			origin, _, _ = strings.Cut(origin, "\n")
			origin, _, _ = strings.Cut(origin, " in goroutine")
			out[origin]++
		}
	}
	return out
}

func newStacks(before map[string]int) []string {
	var left []string
	for origin, n := range stacks() {
		if n > before[origin] && !strings.HasPrefix(origin, "testing.") {
			left = append(left, fmt.Sprintf("%d of %s", n-before[origin], origin))
		}
	}
	slices.Sort(left)
	return left
}

// TestClientThatDoesNotRead fills the pipe with deltas that nobody reads: the
// requests are still answered once it reads again, and memory stays bounded
// because the turn waits.
func TestClientThatDoesNotRead(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	p := startPeer(t, `{"agentd":"replay","version":1}`+"\n"+`{"request":{}}`+"\n"+strings.Repeat(`{"text":"`+long+`"}`+"\n", 20))
	session, _ := p.open()
	p.send(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`, session)
	p.send(`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`)
	p.send(`{"jsonrpc":"2.0","id":7,"method":"session/cancel","params":{"sessionId":"none"}}`)
	p.until(`"id":7,`)
	p.until(`"stopReason":"end_turn"`)
	p.in.Close()
	<-p.code
}

// TestMethodsAreHandled compares the protocol's list with the handlers.
func TestMethodsAreHandled(t *testing.T) {
	listed := map[string]bool{"$/cancelRequest": true} // handled by the connection
	for _, m := range Methods() {
		if m.Direction != ToClient {
			listed[m.Name] = true
		}
	}
	for name := range methods {
		if !listed[name] {
			t.Errorf("%s is handled but not listed", name)
		}
		delete(listed, name)
	}
	delete(listed, "$/cancelRequest")
	if len(listed) > 0 {
		t.Errorf("listed but not handled: %v", listed)
	}
}
