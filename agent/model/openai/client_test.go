package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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
