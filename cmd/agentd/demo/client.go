package demo

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc"
)

// client is the connection to the daemon.
type client struct {
	conn   *jsonrpc2.Conn
	view   *view
	person *person

	mu    sync.Mutex // guards below
	calls uint64     // ids given so far
	open  map[jsonrpc2.ID]context.CancelFunc
}

// codeCancelled answers a request that the daemon has taken back, as in LSP.
const codeCancelled = -32800

// connect begins to read what the daemon sends.
func connect(pipes io.ReadWriteCloser, v *view, p *person) *client {
	c := &client{view: v, person: p, open: map[jsonrpc2.ID]context.CancelFunc{}}
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes, jsonrpc2.VSCodeObjectCodec{}), c,
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	return c
}

// call sends a request and waits for its result. When the person leaves
// meanwhile the error is errLeft.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	c.mu.Lock()
	c.calls++
	id := c.calls
	c.mu.Unlock()
	err := c.conn.Call(ctx, method, params, result, jsonrpc2.PickID(jsonrpc2.ID{Num: id}))
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

func (c *client) notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

// Handle takes a message of the daemon's. Updates are shown before the next
// message is read, so that they stay in order; a question to the person is
// answered beside the reading.
func (c *client) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	params := json.RawMessage("{}")
	if req.Params != nil {
		params = *req.Params
	}
	switch req.Method {
	case "session/update":
		c.view.update(params)
	case "log/message":
		c.view.log(params)
	case "$/cancelRequest":
		c.cancel(params)
	case "ui/confirm":
		answer(c, req, params, c.person.confirm)
	case "ui/askUser":
		answer(c, req, params, c.person.ask)
	default:
		if !req.Notif {
			c.refuse(req, jsonrpc2.CodeMethodNotFound, "this client has no method "+req.Method)
		}
	}
}

func (c *client) refuse(req *jsonrpc2.Request, code int64, why string) {
	// An error means that the daemon is gone, which the running call tells.
	_ = c.conn.ReplyWithError(context.Background(), req.ID, &jsonrpc2.Error{Code: code, Message: why})
}

// answer asks the person what the daemon wants to know. What happens meanwhile
// is held back on the screen.
func answer[P, R any](c *client, req *jsonrpc2.Request, params json.RawMessage, ask func(context.Context, *P) (R, error)) {
	p := new(P)
	if err := json.Unmarshal(params, p); err != nil {
		c.refuse(req, jsonrpc2.CodeInvalidParams, err.Error())
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.mu.Lock()
	c.open[req.ID] = cancel
	c.mu.Unlock()
	release := c.view.hold()
	go func() {
		r, err := ask(ctx, p)
		release()
		c.mu.Lock()
		delete(c.open, req.ID)
		c.mu.Unlock()
		cancel()
		if err != nil {
			c.refuse(req, codeCancelled, err.Error())
			return
		}
		_ = c.conn.Reply(context.Background(), req.ID, r) // as in refuse
	}()
}

// cancel closes a question that the daemon has taken back.
func (c *client) cancel(params json.RawMessage) {
	var p rpc.CancelParams
	var id jsonrpc2.ID
	if json.Unmarshal(params, &p) != nil || json.Unmarshal(p.ID, &id) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if stop := c.open[id]; stop != nil {
		stop()
	}
}

// closeQuestions closes what is still open at the end of a turn.
func (c *client) closeQuestions() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, stop := range c.open {
		stop()
	}
}

// update is an agent.Update as it comes over the wire: the event is read by
// its type.
type update struct {
	SessionID string          `json:"sessionId"`
	Update    json.RawMessage `json:"update"`
}

// event reads the event; nil if it is of a type that this client does not
// know, which the protocol allows for.
func (u update) event() agent.Event {
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(u.Update, &head) != nil {
		return nil
	}
	switch head.Type {
	case agent.MessageDelta{}.EventType():
		return read[agent.MessageDelta](u.Update)
	case agent.ThoughtDelta{}.EventType():
		return read[agent.ThoughtDelta](u.Update)
	case agent.ToolCallEvent{}.EventType():
		return read[agent.ToolCallEvent](u.Update)
	case agent.ToolOutputDelta{}.EventType():
		return read[agent.ToolOutputDelta](u.Update)
	case agent.PlanEvent{}.EventType():
		return read[agent.PlanEvent](u.Update)
	case agent.StateEvent{}.EventType():
		return read[agent.StateEvent](u.Update)
	case agent.NoticeEvent{}.EventType():
		return read[agent.NoticeEvent](u.Update)
	}
	return nil
}

func read[E agent.Event](raw json.RawMessage) agent.Event {
	var e E
	if json.Unmarshal(raw, &e) != nil {
		return nil
	}
	return e
}
