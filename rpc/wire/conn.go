package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"
)

// maxRequests bounds the requests that are being handled at once.
const maxRequests = 512

// Handler handles one incoming request or notification.
type Handler interface {
	// Begin is called in the order of arrival by the reader and must not
	// wait. If it gives a function, that is run in a goroutine of its own:
	// turns and whatever else takes time.
	Begin(ctx context.Context, m *Message) (result any, later func() (any, error), err error)
}

// Dialect is what protocols over JSON-RPC call by names of their own.
type Dialect struct {
	// CancelMethod is the notification that cancels a request, CancelID the
	// parameter that names it.
	CancelMethod string
	CancelID     string
	// ErrorOf gives an error of the handler its code.
	ErrorOf func(error) *Error
	// NoBatches refuses arrays of messages.
	NoBatches bool
}

// Replied is a result after whose reply something has to be done, before the
// peer's next request can be answered.
type Replied struct {
	Result any
	Then   func()
}

// Conn is a JSON-RPC connection with one peer.
type Conn struct {
	stream *stream
	rpc    *jsonrpc2.Conn
	h      Handler
	d      Dialect

	calls atomic.Uint64 // ids of our own requests, from 1

	mu      sync.Mutex
	waiting map[uint64]*Message           // bodies of responses to our calls
	gone    map[uint64]bool               // our calls that were given up
	cancels map[string]context.CancelFunc // of incoming requests, by raw id
	active  sync.WaitGroup
}

// NewConn starts a connection. start is given it before the handler gets its
// first message.
func NewConn(in io.Reader, out io.Writer, f Framing, d Dialect, h Handler, start func(*Conn)) *Conn {
	c := &Conn{h: h, d: d, waiting: map[uint64]*Message{}, gone: map[uint64]bool{}, cancels: map[string]context.CancelFunc{}}
	start(c)
	c.stream = &stream{in: newFrameReader(in, f), out: newOutbox(out, f), deliver: c.deliver, noBatches: d.NoBatches}
	ready := make(chan struct{})
	c.rpc = jsonrpc2.NewConn(context.Background(), c.stream, waitFor{c, ready}, jsonrpc2.SetLogger(log.New(logWriter{}, "", 0)))
	close(ready)
	return c
}

// logWriter takes the library's own log lines.
type logWriter struct{}

func (logWriter) Write(b []byte) (int, error) {
	slog.Debug(string(b))
	return len(b), nil
}

// waitFor keeps the first message from overtaking the assignment of c.rpc.
type waitFor struct {
	c     *Conn
	ready chan struct{}
}

// Handle implements jsonrpc2.Handler.
func (w waitFor) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	<-w.ready
	w.c.handle(ctx, conn, r)
}

// handle takes what the library hands over: it runs in the reader, so it only
// begins what takes time.
func (c *Conn) handle(_ context.Context, _ *jsonrpc2.Conn, _ *jsonrpc2.Request) {
	m := c.stream.current
	if m.Method == c.d.CancelMethod {
		c.cancelIncoming(m.Params)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if !m.IsNotification() {
		c.mu.Lock()
		if len(c.cancels) >= maxRequests {
			c.mu.Unlock()
			cancel()
			c.reply(m, nil, Errorf(CodeOverloaded, "overloaded", "more than %d requests at once", maxRequests))
			return
		}
		c.cancels[string(m.id)] = cancel
		c.mu.Unlock()
	}
	result, later, err := c.begin(ctx, m)
	if later == nil {
		c.end(ctx, cancel, m, result, err)
		return
	}
	c.active.Go(func() {
		result, err := recovered(m.Method, later)
		c.end(ctx, cancel, m, result, err)
	})
}

// begin calls the handler; a panic in it costs this request only.
func (c *Conn) begin(ctx context.Context, m *Message) (result any, later func() (any, error), err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(m.Method, p)
		}
	}()
	return c.h.Begin(ctx, m)
}

func recovered(method string, f func() (any, error)) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(method, p)
		}
	}()
	return f()
}

func panicked(method string, p any) error {
	slog.Error("request panicked", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return Errorf(CodeInternalError, "internal", "an internal error; the log has the details")
}

// end answers a request.
func (c *Conn) end(ctx context.Context, cancel context.CancelFunc, m *Message, result any, err error) {
	cancelled := ctx.Err() != nil
	cancel()
	if m.IsNotification() {
		if err != nil {
			slog.Warn("notification", "method", m.Method, "err", err)
		}
		return
	}
	c.mu.Lock()
	delete(c.cancels, string(m.id))
	c.mu.Unlock()
	if err == nil {
		r, ok := result.(Replied)
		if !ok {
			r.Result = result
		}
		c.reply(m, r.Result, nil)
		if r.Then != nil {
			r.Then()
		}
		return
	}
	if cancelled && errors.Is(err, context.Canceled) {
		err = Errorf(CodeCancelled, "cancelled", "the request was cancelled")
	}
	c.reply(m, nil, c.d.ErrorOf(err))
}

func (c *Conn) reply(m *Message, result any, werr *Error) {
	frame := replyFrame(m.id, result, werr)
	if m.batch != nil {
		m.batch.reply(frame)
		return
	}
	c.stream.out.put(frame)
}

// cancelIncoming cancels a request of the peer's. An id that is not open is
// fine: its reply may be on the way.
func (c *Conn) cancelIncoming(params json.RawMessage) {
	var p map[string]json.RawMessage
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	cancel := c.cancels[string(p[c.d.CancelID])]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// cancelAll cancels every request of the peer's.
func (c *Conn) cancelAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.cancels {
		cancel()
	}
}

// Notify sends a notification. It waits while the peer is far behind, but not
// after ctx has ended.
func (c *Conn) Notify(ctx context.Context, method string, params any) {
	frame, err := notificationFrame(method, params)
	if err != nil {
		slog.Error("encoding a notification", "method", method, "err", err)
		return
	}
	c.stream.out.putUpdate(ctx, frame)
}

// Post sends a notification without ever waiting.
func (c *Conn) Post(method string, params any) {
	if frame, err := notificationFrame(method, params); err == nil {
		c.stream.out.put(frame)
	}
}

// Put sends a notification that may grow while it waits. Like Notify it waits
// while the peer is far behind.
func (c *Conn) Put(ctx context.Context, g Growing) { c.stream.out.putGrowing(ctx, g) }

// PeerError is an error that the peer has answered a call with.
type PeerError struct {
	Method string
	Answer *Error
}

// Error implements error.
func (e *PeerError) Error() string {
	return fmt.Sprintf("the editor answered %s with an error: %s", e.Method, e.Answer.Message)
}

// Call makes a request to the peer and decodes its result, which must be an
// object. If ctx ends first the peer is told, and a late answer is dropped. An
// error that the peer answers is a *PeerError.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	id := c.calls.Add(1)
	c.mu.Lock()
	c.waiting[id] = nil
	c.mu.Unlock()
	err := c.rpc.Call(ctx, method, params, nil, jsonrpc2.PickID(jsonrpc2.ID{Num: id}))
	c.mu.Lock()
	m := c.waiting[id]
	delete(c.waiting, id)
	cancelled := ctx.Err() != nil
	if cancelled && m == nil {
		c.gone[id] = true
	}
	c.mu.Unlock()
	switch {
	case errors.Is(err, jsonrpc2.ErrClosed) && m == nil:
		// The client is gone: whoever waits for it is cancelled, so that a
		// turn does not go on with a no that nobody has said.
		c.cancelAll()
		return context.Canceled
	case cancelled:
		if m == nil {
			if frame, err := notificationFrame(c.d.CancelMethod, map[string]uint64{c.d.CancelID: id}); err == nil {
				c.stream.out.put(frame)
			}
		}
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s: %w", method, err)
	case m == nil:
		return fmt.Errorf("%s: no answer", method)
	case m.err != nil:
		return &PeerError{method, m.err}
	}
	if err := DecodeAnswer(m.result, result); err != nil {
		return fmt.Errorf("the editor's answer to %s cannot be read: %w", method, err)
	}
	return nil
}

// deliver keeps the body of a response for the call that waits for it. The
// answer to a call that was given up goes to the library alone, which then
// forgets the call.
func (c *Conn) deliver(id uint64, m *Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone[id] {
		delete(c.gone, id)
		return true
	}
	if old, waits := c.waiting[id]; !waits || old != nil {
		return false
	}
	c.waiting[id] = m
	return true
}
