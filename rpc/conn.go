package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"
)

// maxRequests bounds the requests that are being handled at once.
const maxRequests = 512

// handler handles one incoming request or notification.
type handler interface {
	// begin is called in the order of arrival by the reader and must not
	// wait. If it gives a function, that is run in a goroutine of its own:
	// turns and whatever else takes time.
	begin(ctx context.Context, m *message) (result any, later func() (any, error), err error)
}

// conn is a JSON-RPC connection with one peer.
type conn struct {
	stream *stream
	rpc    *jsonrpc2.Conn
	h      handler

	calls atomic.Uint64 // ids of our own requests, from 1

	mu      sync.Mutex
	waiting map[uint64]*message           // bodies of responses to our calls
	gone    map[uint64]bool               // our calls that were given up
	cancels map[string]context.CancelFunc // of incoming requests, by raw id
	active  sync.WaitGroup
}

// newConn starts a connection.
func newConn(in io.Reader, out io.Writer, f Framing, h handler) *conn {
	c := &conn{h: h, waiting: map[uint64]*message{}, gone: map[uint64]bool{}, cancels: map[string]context.CancelFunc{}}
	c.stream = &stream{in: newFrameReader(in, f), out: newOutbox(out, f), deliver: c.deliver}
	c.rpc = jsonrpc2.NewConn(context.Background(), c.stream, c, jsonrpc2.SetLogger(log.New(logWriter{}, "", 0)))
	return c
}

// logWriter takes the library's own log lines.
type logWriter struct{}

func (logWriter) Write(b []byte) (int, error) {
	slog.Debug(string(b))
	return len(b), nil
}

// Handle takes what the library hands over: it runs in the reader, so it only
// begins what takes time.
func (c *conn) Handle(_ context.Context, _ *jsonrpc2.Conn, _ *jsonrpc2.Request) {
	m := c.stream.current
	if m.method == "$/cancelRequest" {
		c.cancelIncoming(m.params)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if !m.isNotification() {
		c.mu.Lock()
		if len(c.cancels) >= maxRequests {
			c.mu.Unlock()
			cancel()
			c.reply(m, nil, errorf(CodeOverloaded, "overloaded", "more than %d requests at once", maxRequests))
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
		result, err := recovered(m.method, later)
		c.end(ctx, cancel, m, result, err)
	})
}

// begin calls the handler; a panic in it costs this request only.
func (c *conn) begin(ctx context.Context, m *message) (result any, later func() (any, error), err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(m.method, p)
		}
	}()
	return c.h.begin(ctx, m)
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
	return errorf(CodeInternalError, "internal", "an internal error; the log has the details")
}

// end answers a request.
func (c *conn) end(ctx context.Context, cancel context.CancelFunc, m *message, result any, err error) {
	cancelled := ctx.Err() != nil
	cancel()
	if m.isNotification() {
		if err != nil {
			slog.Warn("notification", "method", m.method, "err", err)
		}
		return
	}
	c.mu.Lock()
	delete(c.cancels, string(m.id))
	c.mu.Unlock()
	if err == nil {
		c.reply(m, result, nil)
		return
	}
	if cancelled && errors.Is(err, context.Canceled) {
		err = errorf(CodeCancelled, "cancelled", "the request was cancelled")
	}
	c.reply(m, nil, wireError(err))
}

func (c *conn) reply(m *message, result any, werr *Error) {
	frame := replyFrame(m.id, result, werr)
	if m.batch != nil {
		m.batch.reply(frame)
		return
	}
	c.stream.out.put(frame)
}

// cancelIncoming cancels a request of the peer's. An id that is not open is
// fine: its reply may be on the way.
func (c *conn) cancelIncoming(params json.RawMessage) {
	var p CancelParams
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	cancel := c.cancels[string(p.ID)]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// cancelAll cancels every request of the peer's.
func (c *conn) cancelAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.cancels {
		cancel()
	}
}

// notify sends a notification.
func (c *conn) notify(ctx context.Context, method string, params any) {
	frame, err := notificationFrame(method, params)
	if err != nil {
		slog.Error("encoding a notification", "method", method, "err", err)
		return
	}
	c.stream.out.putUpdate(ctx, frame)
}

// call makes a request to the peer and decodes its result. If ctx ends first
// the peer is told with $/cancelRequest and a late answer is dropped.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
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
			if frame, err := notificationFrame("$/cancelRequest", CancelParams{ID: json.RawMessage(fmt.Sprint(id))}); err == nil {
				c.stream.out.put(frame)
			}
		}
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s: %w", method, err)
	case m == nil:
		return fmt.Errorf("%s: no answer", method)
	case m.err != nil:
		return fmt.Errorf("the editor answered %s with an error: %s", method, m.err.Message)
	}
	if err := decodeAnswer(m.result, result); err != nil {
		return fmt.Errorf("the editor's answer to %s cannot be read: %w", method, err)
	}
	return nil
}

// decodeAnswer decodes the result of a reverse request, which must be an
// object.
func decodeAnswer(b json.RawMessage, result any) error {
	if len(b) == 0 || b[0] != '{' {
		return errors.New("it is not an object")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	t := reflect.TypeOf(result).Elem()
	n := 0
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		for key := range fields {
			if key != name && strings.EqualFold(key, name) {
				return fmt.Errorf("a field %q: it is called %q", key, name)
			}
		}
	}
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		tok, err := d.Token()
		if err != nil {
			break
		}
		if tok == json.Delim('{') {
			for d.More() {
				if _, err := d.Token(); err != nil {
					return err
				}
				n++
				var skip json.RawMessage
				if err := d.Decode(&skip); err != nil {
					return err
				}
			}
			break
		}
	}
	if n != len(fields) {
		return errors.New("a field is there twice")
	}
	return json.Unmarshal(b, result)
}

// deliver keeps the body of a response for the call that waits for it. The
// answer to a call that was given up goes to the library alone, which then
// forgets the call.
func (c *conn) deliver(id uint64, m *message) bool {
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
