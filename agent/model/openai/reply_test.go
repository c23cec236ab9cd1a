package openai

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
)

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
