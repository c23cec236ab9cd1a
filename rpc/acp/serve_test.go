package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/builtin"
)

// oneModel is an agent.Models with one replay.
type oneModel struct{ script string }

func (o oneModel) Open(string) (model.Model, error) {
	return model.NewReplay("test", strings.NewReader(o.script), model.Options{})
}
func (o oneModel) List() []agent.ModelInfo { return []agent.ModelInfo{{ID: "replay:test"}} }

// noKeys are the Keys of a model that needs none.
type noKeys struct{}

func (noKeys) Refresh() error { return nil }
func (noKeys) Forget()        {}

const readAndWrite = `{"agentd":"replay","version":1}
{"request":{}}
{"call":{"name":"read_file","arguments":{"path":"a.txt"}}}
{"request":{}}
{"call":{"name":"edit_file","arguments":{"path":"a.txt","old_string":"one","new_string":"two"}}}
{"request":{}}
{"text":"Done."}
`

// peer is the client's end of a server in this process.
type peer struct {
	tb   testing.TB
	in   io.WriteCloser
	out  *bufio.Scanner
	ws   string
	over chan struct{}
}

func startPeer(tb testing.TB, script string) *peer {
	tb.Helper()
	registry, err := tools.NewRegistry(builtin.Tools()...)
	if err != nil {
		tb.Fatal(err)
	}
	a := agent.New(agent.Config{Models: oneModel{script}, Registry: registry, Host: editstate.NewHost(""), StateDir: tb.TempDir()})
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{tb: tb, in: inW, out: bufio.NewScanner(outR), ws: tb.TempDir(), over: make(chan struct{})}
	p.out.Buffer(nil, 64<<20)
	if err := os.WriteFile(filepath.Join(p.ws, "a.txt"), []byte("one\n"), 0o644); err != nil {
		tb.Fatal(err)
	}
	go func() {
		defer close(p.over)
		Serve(context.Background(), Config{In: inR, Out: outW, Agent: a, Name: "test", Version: "1", Keys: noKeys{}})
		outW.Close()
		inR.Close()
	}()
	return p
}

func (p *peer) send(format string, a ...any) {
	// A server that has ended reads no more.
	_, _ = fmt.Fprintf(p.in, format+"\n", a...)
}

// until reads messages up to the first that holds a text.
func (p *peer) until(text string) []byte {
	p.tb.Helper()
	for p.out.Scan() {
		if bytes.Contains(p.out.Bytes(), []byte(text)) {
			return p.out.Bytes()
		}
	}
	p.tb.Fatalf("no message with %q", text)
	return nil
}

// ask opens a session and prompts; a permission is then asked for.
func (p *peer) ask(capabilities string) (session string) {
	p.tb.Helper()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":%s}}`, capabilities)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, p.ws)
	var r struct{ Result struct{ SessionID string } }
	if err := json.Unmarshal(p.until(`"id":2,`), &r); err != nil {
		p.tb.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`, r.Result.SessionID)
	p.until("session/request_permission")
	return r.Result.SessionID
}

// end hangs up and waits for the end of the server.
func (p *peer) end() {
	p.tb.Helper()
	p.in.Close()
	go func() {
		for p.out.Scan() {
		}
	}()
	select {
	case <-p.over:
	case <-time.After(20 * time.Second):
		p.tb.Fatal("the server does not end")
	}
}

// TestHangUp hangs up while a question is open: nothing is written, and nothing
// of the server is left.
func TestHangUp(t *testing.T) {
	before := runtime.NumGoroutine()
	p := startPeer(t, readAndWrite)
	p.ask(`{}`)
	p.end()
	p.unchanged()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("goroutines that are left:\n%s", buf[:runtime.Stack(buf, true)])
		}
	}
}

func (p *peer) unchanged() {
	p.tb.Helper()
	list, err := os.ReadDir(p.ws)
	if err != nil || len(list) != 1 {
		p.tb.Errorf("the workspace has %v (%v)", list, err)
	}
	if b, err := os.ReadFile(filepath.Join(p.ws, "a.txt")); err != nil || string(b) != "one\n" {
		p.tb.Errorf("the file has %q (%v)", b, err)
	}
}

// FuzzLines sends anything at all while a permission is open: nothing crashes or
// hangs, and no file is written unless somebody has allowed it.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"yes\"}}}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"outcome\":\"selected\"}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":3}}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"SESSION\"}}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"session/load\",\"params\":{\"sessionId\":\"SESSION\",\"cwd\":\"/\",\"mcpServers\":[{}]}}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"SESSION\",\"prompt\":[{\"type\":\"resource\",\"resource\":{\"blob\":\"%\"}}]}}\n"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"session/close\",\"params\":{\"sessionId\":\"SESSION\"}}\n{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"session/delete\",\"params\":{\"sessionId\":\"../..\"}}\n"))
	f.Add([]byte("[[[[\n\x00\xff{\"id\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"initialize\"}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		p := startPeer(t, readAndWrite)
		session := p.ask(`{"elicitation":{"form":{}}}`)
		p.send("%s", bytes.ReplaceAll(in, []byte("SESSION"), []byte(session)))
		p.end()
		for _, yes := range []string{"allow", "auto", "accept-edits"} {
			if bytes.Contains(bytes.ToLower(in), []byte(yes)) || bytes.ContainsRune(in, '\\') { // it may be spelled in escapes
				return
			}
		}
		p.unchanged()
	})
}
