package mcp

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentd-dev/agentd/tools"
)

// remote serves an MCP server over streamable HTTP, to those who know the token.
func remote(t *testing.T) (*httptest.Server, *atomic.Int64) {
	var calls atomic.Int64
	server := sdk.NewServer(&sdk.Implementation{Name: "remote", Version: "1"}, nil)
	type none struct{}
	sdk.AddTool(server, &sdk.Tool{Name: "ping", Description: "Answers."}, func(context.Context, *sdk.CallToolRequest, none) (*sdk.CallToolResult, any, error) {
		calls.Add(1)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "pong"}}}, nil, nil
	})
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/elsewhere":
			http.Redirect(w, r, "http://localhost.invalid/mcp", http.StatusTemporaryRedirect)
		case r.URL.Path == "/forbidden":
			http.Error(w, "no", http.StatusForbidden)
		case r.URL.Path == "/sse":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("event: endpoint\ndata: http://localhost.invalid/admin\n\n"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case r.URL.Path == "/endless":
			w.Header().Set("Content-Type", "application/json")
			_, err := w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"`))
			for x := bytes.Repeat([]byte("x"), 1<<16); err == nil; {
				_, err = w.Write(x)
			}
		case r.URL.Path == "/web":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>hello</html>"))
		case r.Header.Get("Authorization") != "Bearer secret-token":
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "who are you?", http.StatusUnauthorized)
		default:
			h.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s, &calls
}

func TestHTTP(t *testing.T) {
	s, calls := remote(t)
	hub := NewHub(append(os.Environ(), "REMOTE_TOKEN=secret-token"), "test")
	defer hub.Close()
	headers := map[string]string{"Authorization": "Bearer ${REMOTE_TOKEN}"}
	set := hub.Open([]Config{
		{Name: "good", Type: typeHTTP, URL: s.URL + "/mcp", Headers: headers},
		{Name: "locked", Type: typeHTTP, URL: s.URL + "/mcp"},
		{Name: "forbidden", Type: typeHTTP, URL: s.URL + "/forbidden"},
		{Name: "elsewhere", Type: typeHTTP, URL: s.URL + "/elsewhere", Headers: headers},
		{Name: "web", Type: typeHTTP, URL: s.URL + "/web"},
		{Name: "astray", Type: typeSSE, URL: s.URL + "/sse", Headers: headers},
		{Name: "endless", Type: typeHTTP, URL: s.URL + "/endless"},
		{Name: "nobody", Type: typeHTTP, URL: "http://127.0.0.1:1/mcp"},
	}, []string{t.TempDir()}, nil)
	defer set.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	set.Wait(ctx)
	want := map[string]string{"good": "", "locked": "does not do OAuth; give a token", "forbidden": "it refuses access (403)",
		"elsewhere": "it redirects to http://localhost.invalid; give that address", "web": "", "astray": "sent to http://localhost.invalid, which is not the address", "endless": "too large", "nobody": "connection refused"}
	for _, st := range set.Status() {
		if strings.Contains(st.What, "secret-token") {
			t.Errorf("%s: %s", st.Name, st.What)
		}
		if (st.State == Ready) != (st.Name == "good") || !strings.Contains(st.Error, want[st.Name]) {
			t.Errorf("%s: %s %q", st.Name, st.State, st.Error)
		}
	}
	d := &tools.Dispatcher{Registry: tools.OpenRegistry(), More: set.Registry, Gate: openGate{}, Env: &tools.Env{}}
	if r := d.Run(ctx, &tools.Invocation{ID: "c", Name: "mcp__good__ping", Args: "{}"}); r.Text != "pong" {
		t.Errorf("%s", r.Text)
	}
	// A server that is gone in the middle of things: an error, and no second call.
	s.CloseClientConnections()
	s.Close()
	if r := d.Run(ctx, &tools.Invocation{ID: "c", Name: "mcp__good__ping", Args: "{}"}); r.Status != tools.Failed || !strings.Contains(r.Text, "good") {
		t.Errorf("%s", r.Text)
	}
	if calls.Load() != 1 {
		t.Errorf("%d calls", calls.Load())
	}
}
