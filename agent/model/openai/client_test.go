package openai

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

var _ model.Model = (*Client)(nil)

func client(t *testing.T, url string, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: url, APIKey: "sk-test-0123456789", Model: "m"}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.cfg.HTTPClient.CloseIdleConnections)
	return c
}

func fake(t *testing.T, script string) *fakemodel.Server {
	t.Helper()
	s, err := fakemodel.New(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func user(text string) *model.Request {
	return &model.Request{Messages: []*model.Message{model.TextMessage(model.RoleUser, text)}}
}

// collect runs a request to its end.
func collect(ctx context.Context, c *Client, req *model.Request) (text string, finish model.Finish, err error) {
	for e, err := range c.Stream(ctx, req) {
		if err != nil {
			return text, finish, err
		}
		switch e := e.(type) {
		case model.TextDelta:
			text += e.Text
		case model.Finish:
			finish = e
		}
	}
	return text, finish, nil
}

func failure(t *testing.T, c *Client, req *model.Request) *model.Error {
	t.Helper()
	_, _, err := collect(t.Context(), c, req)
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("want a *model.Error, got %v", err)
	}
	return e
}

func TestConversation(t *testing.T) {
	s := fake(t, `
		want model m
		want system "be good"
		want tools read_file
		want body "\"stream\":true"
		thought hm
		text "Let me see."
		call id=c7 read_file {"path":"a.txt"}
		usage 120 30 cached=100 reasoning=7
		---
		want last "<hello> & \\u003c"
		want messages 3
		text done
	`)
	c := client(t, s.URL)
	req := user("hi")
	req.System = "be good"
	req.Tools = []model.Tool{{Name: "read_file", Description: "reads", Parameters: []byte(`{"type":"object","properties":{"path":{"type":"string"}}}`)}}
	text, fin, err := collect(t.Context(), c, req)
	if err != nil {
		t.Fatal(err)
	}
	if text != "Let me see." || fin.Message.Reasoning != "hm" || fin.Reason != model.FinishToolCalls ||
		*fin.Usage != (model.Usage{InputTokens: 120, OutputTokens: 30, CachedTokens: 100, ReasoningTokens: 7}) {
		t.Errorf("text %q, finish %+v, usage %+v", text, fin, fin.Usage)
	}
	answer := model.TextMessage(model.RoleTool, `<hello> & \u003c`)
	answer.ToolCallID = "c7"
	req.Messages = append(req.Messages, fin.Message, answer)
	if text, _, err = collect(t.Context(), c, req); err != nil || text != "done" {
		t.Errorf("text %q, error %v", text, err)
	}
	if e := s.Errors(); len(e) > 0 {
		t.Error(e)
	}
	first, second := string(s.Requests()[0].Body), string(s.Requests()[1].Body)
	if n := strings.Index(first, `],"tools"`); !strings.HasPrefix(second, first[:n]) {
		t.Errorf("the prefix has changed:\n%s\n%s", first, second)
	}
	if auth := s.Requests()[0].Header.Get("Authorization"); auth != "Bearer sk-test-0123456789" {
		t.Errorf("Authorization %q", auth)
	}
}

func TestConnectionIsKept(t *testing.T) {
	s := fake(t, "forever\ntext a")
	dials := 0
	c := client(t, s.URL, func(cfg *Config) {
		cfg.HTTPClient = newHTTPClient()
		dial := (&net.Dialer{}).DialContext
		cfg.HTTPClient.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials++
			return dial(ctx, network, addr)
		}
	})
	for range 5 {
		if _, _, err := collect(t.Context(), c, user("hi")); err != nil {
			t.Fatal(err)
		}
		waitIdle(t, c)
	}
	if dials != 1 {
		t.Errorf("%d connections for 5 requests", dials)
	}
}

// waitIdle waits until no reply is being drained.
func waitIdle(t *testing.T, c *Client) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for c.draining.Load() > 0 {
		if time.Now().After(deadline) {
			t.Fatal("a reply is still being drained")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestNoEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-other")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("OPENAI_ORG_ID", "org-x")
	s := fake(t, "text a")
	c := client(t, s.URL, func(cfg *Config) { cfg.APIKey = "" })
	if _, _, err := collect(t.Context(), c, user("hi")); err != nil {
		t.Fatal(err)
	}
	h := s.Requests()[0].Header
	if h.Get("Authorization") != "" || h.Get("OpenAI-Organization") != "" {
		t.Errorf("headers of the environment were sent: %v", h)
	}
}

func TestBaseURLPath(t *testing.T) {
	for _, path := range []string{"", "/", "/v1", "/v1/", "/a/b"} {
		got := ""
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.URL.Path
			w.WriteHeader(400)
		})
		failure(t, client(t, url+path), user("hi"))
		if want := strings.TrimRight(path, "/") + "/chat/completions"; got != want {
			t.Errorf("base path %q: got %q, want %q", path, got, want)
		}
	}
	for _, url := range []string{"127.0.0.1:80", "ftp://x", "http://", "::"} {
		if _, err := New(Config{BaseURL: url}); err == nil {
			t.Errorf("%q was accepted", url)
		}
	}
}

func TestKeyThatCannotBeSent(t *testing.T) {
	var e *model.Error
	if _, err := New(Config{APIKey: "sk-abc\nsk-def"}); !errors.As(err, &e) || e.Kind != model.ErrAuth || strings.Contains(e.Message, "sk-") {
		t.Errorf("%v", err)
	}
	if _, err := New(Config{APIKey: " sk-abc\n"}); err != nil {
		t.Errorf("white space around a key: %v", err)
	}
}

func TestGzip(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("gzip is not asked for")
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/event-stream")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		_ = z.Close()
	})
	if text, _, err := collect(t.Context(), client(t, url), user("hi")); text != "a" || err != nil {
		t.Errorf("text %q, error %v", text, err)
	}
}

func TestAnswersThatAreNoStream(t *testing.T) {
	const whole = `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`
	const sse = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"
	for _, tc := range []struct {
		contentType, body string
		kind              model.ErrorKind
	}{
		{"application/json", " \n" + whole, ""},
		{"", whole, ""},
		{"application/json", sse, ""},
		{"text/plain", sse, ""},
		{"application/json", `{"error":"quota"}`, model.ErrStream},
		{"text/html", "<!doctype html><html>", model.ErrReply},
		{"application/json", "", model.ErrCut},
		{"text/event-stream", "", model.ErrCut},
		{"application/json", `{"choi`, model.ErrReply},
	} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = []string{tc.contentType}
			_, _ = io.WriteString(w, tc.body)
		})
		text, _, err := collect(t.Context(), client(t, url), user("hi"))
		var e *model.Error
		if tc.kind == "" && (text != "a" || err != nil) || tc.kind != "" && (!errors.As(err, &e) || e.Kind != tc.kind) {
			t.Errorf("%s %q: text %q, error %v", tc.contentType, tc.body, text, err)
		}
	}
}

func TestStalled(t *testing.T) {
	short := func(cfg *Config) { cfg.IdleTimeout = 50 * time.Millisecond }
	for name, script := range map[string]string{"in the text": "text a\nstall", "before the headers": "delay 1h"} {
		s := fake(t, script)
		if e := failure(t, client(t, s.URL, short), user("hi")); e.Kind != model.ErrStalled || !e.Retryable() {
			t.Errorf("%s: %v (%s)", name, e, e.Kind)
		}
	}
	s := fake(t, `data {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\nstall")
	if text, fin, err := collect(t.Context(), client(t, s.URL, short), user("hi")); text != "a" || fin.Reason != model.FinishStop || err != nil {
		t.Errorf("after the finish reason: %q, %v", text, err)
	}
}

// TestCancel checks that the server sees the connection close.
func TestCancel(t *testing.T) {
	for _, headers := range []bool{true, false} {
		gone := make(chan struct{})
		started := make(chan struct{})
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			if headers {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = fmt.Fprint(w, ": hi\n\n")
				w.(http.Flusher).Flush()
			}
			close(started)
			<-r.Context().Done()
			close(gone)
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-started
			cancel()
		}()
		_, _, err := collect(ctx, client(t, url), user("hi"))
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != model.ErrCancelled || !errors.Is(err, context.Canceled) || e.Retryable() {
			t.Errorf("headers %v: error %v", headers, err)
		}
		<-gone
	}
}

func TestBreakClosesTheConnection(t *testing.T) {
	gone := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	for range client(t, url).Stream(t.Context(), user("hi")) {
		break
	}
	<-gone
}

func TestCutConnection(t *testing.T) {
	s := fake(t, "text a\ncut")
	if e := failure(t, client(t, s.URL), user("hi")); e.Kind != model.ErrCut || !e.Retryable() {
		t.Errorf("%v (%s)", e, e.Kind)
	}
}

func TestModels(t *testing.T) {
	s := fake(t, "")
	names, err := client(t, s.URL).Models(t.Context())
	if err != nil || len(names) != 1 || names[0] != "fake" {
		t.Errorf("%q, %v", names, err)
	}
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "<html>") })
	if _, err := client(t, url).Models(t.Context()); err == nil {
		t.Error("a web page is no list")
	}
}
