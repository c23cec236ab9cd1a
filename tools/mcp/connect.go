package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// protocolVersion is what servers are greeted with. A server that knows only later
// ones is asked again without it.
const protocolVersion = "2025-11-25"

// keepAlive is how often a server behind HTTP is asked whether it is there: a dead
// one does not close anything.
const keepAlive = time.Minute

// startError is an error that does not pass by trying again.
type startError struct{ message string }

// Error implements error.
func (e *startError) Error() string { return e.message }

// link is an open connection to a server.
type link struct {
	session *sdk.ClientSession
	child   *child        // nil behind HTTP
	gone    chan struct{} // closed when the connection has ended
	// toolsChanged and othersChanged count what the server has said of changes of
	// its lists, the moment it was read; toolsListed and othersListed are what they
	// were when the list was asked for last.
	toolsChanged, othersChanged, toolsListed, othersListed atomic.Int64
	// asked counts the requests of the server that are not answered yet.
	asked atomic.Int64
}

// mostAsked bounds them: a server may ask without end and read no answer.
const mostAsked = 256

// connect starts a server, or finds it, and shakes hands.
func (s *Server) connect(ctx context.Context) (*link, error) {
	c, err := s.cfg.expand(s.hub.environ)
	if err != nil {
		return nil, err
	}
	switch c.Type {
	case typeStdio:
		l, err := s.connectStdio(ctx, &c, protocolVersion)
		if unknownMethod(err) {
			return s.connectStdio(ctx, &c, "")
		}
		return l, err
	case typeSSE:
		return s.connectHTTP(ctx, &c, &sdk.SSEClientTransport{Endpoint: c.URL, HTTPClient: httpClient(&c)})
	}
	l, err := s.connectHTTP(ctx, &c, &sdk.StreamableClientTransport{Endpoint: c.URL, HTTPClient: httpClient(&c), MaxRetries: 2})
	if err != nil && ctx.Err() == nil && oldServer(err) {
		if old, second := s.connectHTTP(ctx, &c, &sdk.SSEClientTransport{Endpoint: c.URL, HTTPClient: httpClient(&c)}); second == nil {
			return old, nil
		}
	}
	return l, err
}

func unknownMethod(err error) bool {
	var we *jsonrpc.Error
	return errors.As(err, &we) && we.Code == jsonrpc.CodeMethodNotFound
}

// oldServer reports whether an error may come from a server of before 2025, which
// takes no POST at its address.
func oldServer(err error) bool {
	for _, status := range []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed} {
		if strings.Contains(err.Error(), http.StatusText(status)) {
			return true
		}
	}
	return false
}

func (s *Server) connectStdio(ctx context.Context, c *Config, version string) (*link, error) {
	child, transport, err := startChild(c, s.dir, s.hub.environ)
	if err != nil {
		return nil, err
	}
	l := &link{child: child}
	l, err = s.shakeHands(ctx, l, watched{transport, l}, &sdk.ClientSessionOptions{ProtocolVersion: version}, 0)
	if err != nil {
		fate := child.fate(ctx)
		child.end()
		if unknownMethod(err) {
			return nil, err
		}
		return nil, withFate(ctx, err, fate, child.stderr.String())
	}
	return l, nil
}

func (s *Server) connectHTTP(ctx context.Context, c *Config, t sdk.Transport) (*link, error) {
	l, err := s.shakeHands(ctx, &link{}, t, &sdk.ClientSessionOptions{ProtocolVersion: protocolVersion}, keepAlive)
	if err != nil {
		return nil, httpError(ctx, c, err)
	}
	return l, nil
}

// withFate explains why a server does not answer: what the connection says is
// seldom the reason.
func withFate(ctx context.Context, err error, fate, stderr string) error {
	text := err.Error()
	switch {
	case ctx.Err() != nil:
		text = "it did not answer in time"
	case strings.Contains(text, "invalid character"), strings.Contains(text, "json"), strings.Contains(text, "JSON"):
		text = "it writes something else than messages to its stdout: " + text
	case strings.HasSuffix(fate, " 0") && text != fate: // it ended because it was given up
		text = fate + ": " + text
	case fate != "":
		text = fate
	}
	if stderr != "" {
		text += "; the end of what it wrote to stderr:\n" + lastLines(stderr, 2000)
	}
	return errors.New(text)
}

func httpError(ctx context.Context, c *Config, err error) error {
	text := err.Error()
	switch {
	case ctx.Err() != nil:
		return errors.New("it did not answer in time")
	case strings.Contains(text, http.StatusText(http.StatusUnauthorized)):
		return &startError{"it wants a login (401). agentd does not do OAuth; give a token in the server's headers, e.g. \"Authorization\": \"Bearer ${TOKEN}\""}
	case strings.Contains(text, http.StatusText(http.StatusForbidden)):
		return &startError{"it refuses access (403); see to the token in the server's headers"}
	}
	return fmt.Errorf("%s: %w", c.URL, err)
}

// httpClient sends a server's headers with each request, and to no other host.
func httpClient(c *Config) *http.Client {
	return &http.Client{
		Transport: withHeaders{c, http.DefaultTransport},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > 5 || r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
				return fmt.Errorf("it redirects to %s://%s; give that address as its url", r.URL.Scheme, r.URL.Host)
			}
			return nil
		},
	}
}

type withHeaders struct {
	c    *Config
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	// A server may name the address for what is sent to it: one of its own.
	if u, err := url.Parse(w.c.URL); err != nil || u.Host != r.URL.Host || u.Scheme != r.URL.Scheme {
		return nil, &startError{fmt.Sprintf("it wants messages to be sent to %s://%s, which is not the address of its configuration", r.URL.Scheme, r.URL.Host)}
	}
	if len(w.c.Headers) > 0 {
		r = r.Clone(r.Context())
		for k, v := range w.c.Headers {
			r.Header.Set(k, v)
		}
	}
	res, err := w.next.RoundTrip(r)
	if err == nil && !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") { // whose events are bounded
		res.Body = http.MaxBytesReader(nil, res.Body, sdk.DefaultMaxLineLength)
	}
	return res, err
}

// shakeHands opens the session; ctx bounds that only.
func (s *Server) shakeHands(ctx context.Context, l *link, t sdk.Transport, o *sdk.ClientSessionOptions, alive time.Duration) (*link, error) {
	heard := func(changes *atomic.Int64) {
		if _, seen := t.(watched); !seen {
			changes.Add(1)
		}
		s.poke()
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "agentd", Version: s.hub.version}, &sdk.ClientOptions{
		Logger: slog.New(slog.DiscardHandler),
		//lint:ignore SA1019 the servers of today ask for the roots
		Capabilities:                &sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{}},
		KeepAlive:                   alive,
		KeepAliveFailureThreshold:   2,
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { heard(&l.toolsChanged) },
		PromptListChangedHandler:    func(context.Context, *sdk.PromptListChangedRequest) { heard(&l.othersChanged) },
		ResourceListChangedHandler:  func(context.Context, *sdk.ResourceListChangedRequest) { heard(&l.othersChanged) },
		ProgressNotificationHandler: s.progress,
	})
	for _, root := range s.roots {
		//lint:ignore SA1019 the servers of today ask for them
		client.AddRoots(&sdk.Root{URI: fileURI(root)})
	}
	// The connection must outlive the time for its start.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end)
	session, err := client.Connect(life, t, o)
	if !stop() && err == nil {
		session.Close()
		err = ctx.Err()
	}
	if err != nil {
		end()
		return nil, err
	}
	l.session, l.gone = session, make(chan struct{})
	go func() {
		_ = session.Wait()
		end()
		close(l.gone)
	}()
	return l, nil
}

// watched looks at the messages of a connection as they are read: what comes
// before the answer to a call is known when the call returns. (The SDK's own
// transport for HTTP cannot be wrapped.)
type watched struct {
	sdk.Transport
	l *link
}

// Connect implements sdk.Transport.
func (w watched) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := w.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return watchedConn{c, w.l}, nil
}

type watchedConn struct {
	sdk.Connection
	l *link
}

// Read implements sdk.Connection.
func (c watchedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && err == nil {
		switch r.Method {
		case "notifications/tools/list_changed":
			c.l.toolsChanged.Add(1)
		case "notifications/prompts/list_changed", "notifications/resources/list_changed":
			c.l.othersChanged.Add(1)
		}
		if r.IsCall() && c.l.asked.Add(1) > mostAsked {
			return nil, errors.New("it asks more than can be answered")
		}
	}
	return m, err
}

// Write implements sdk.Connection.
func (c watchedConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.l.asked.Add(-1)
	}
	return err
}

// close ends the connection and the process.
func (l *link) close() {
	closed := make(chan struct{})
	go func() {
		_ = l.session.Close() // behind HTTP it tells the server, which may not answer
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(eofGrace):
	}
	l.child.end()
}
