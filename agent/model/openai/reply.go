package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
)

const (
	// finishGrace is how long usage and [DONE] may take once the model has
	// finished.
	finishGrace = 3 * time.Second
	// drainGrace is how long the end of the body may take after [DONE]. A body
	// read to its end leaves the connection open for the next request.
	drainGrace = time.Second
	// maxWhole bounds a reply that is not streamed.
	maxWhole = 64 << 20
)

var errStalled = errors.New("no data from the model server")

// reply is a response being read. Its context ends with the caller's, or when
// no byte has come for the idle time-out.
type reply struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	caller context.Context
	timer  *time.Timer
	idle   time.Duration
	body   io.ReadCloser
	header http.Header
	// drained is set when drain has taken over the body.
	drained bool
}

func newReply(ctx context.Context, idle time.Duration) *reply {
	r := &reply{caller: ctx, idle: idle}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.timer = time.AfterFunc(idle, func() { r.cancel(errStalled) })
	return r
}

func (r *reply) open(res *http.Response) {
	r.timer.Reset(r.idle)
	r.body, r.header = res.Body, res.Header
}

// Read implements io.Reader.
func (r *reply) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	r.timer.Reset(r.idle)
	if err != nil && err != io.EOF {
		err = r.failure(err)
	}
	return n, err
}

// failure says what an error means: a stall, a cancelled caller, or itself.
func (r *reply) failure(err error) error {
	switch {
	case r.caller.Err() != nil:
		return &model.Error{Kind: model.ErrCancelled, Message: "the model request was cancelled", Err: context.Cause(r.caller)}
	case context.Cause(r.ctx) == errStalled:
		return &model.Error{Kind: model.ErrStalled, Message: "the model server has sent nothing for " + r.idle.String(), Err: errStalled}
	}
	return err
}

// events reads the reply: a stream, or one whole completion.
func (r *reply) events() iter.Seq2[model.Event, error] {
	finishing := func() { r.idle = min(r.idle, finishGrace) }
	if strings.HasPrefix(r.header.Get("Content-Type"), "text/event-stream") {
		return model.ReadStream(r, finishing)
	}
	in := bufio.NewReader(r)
	switch firstByte(in) {
	case '{', '[':
		body, err := io.ReadAll(io.LimitReader(in, maxWhole))
		if err != nil {
			return failed(cut(err))
		}
		return model.ReadCompletion(body)
	case '<':
		return failed(&model.Error{Kind: model.ErrReply, Message: "the server answered with a web page, not with a chat completion: check the base URL (it usually ends in /v1)"})
	}
	return model.ReadStream(in, finishing)
}

// firstByte looks at the first byte that is not white space, without reading
// it.
func firstByte(in *bufio.Reader) byte {
	for n := 1; n <= in.Size(); n++ {
		b, err := in.Peek(n)
		if err != nil {
			return 0
		}
		if !bytes.ContainsAny(b[n-1:], " \r\n\t") {
			return b[n-1]
		}
	}
	return 0
}

func cut(err error) error {
	if e := (*model.Error)(nil); errors.As(err, &e) {
		return e
	}
	return &model.Error{Kind: model.ErrCut, Message: "the reply was cut off", Err: err}
}

func failed(err error) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) { yield(nil, err) }
}

// drain reads the rest of a finished reply aside and closes it; running counts
// the replies at it.
func (r *reply) drain(running *atomic.Int32) {
	r.drained = true
	r.timer.Reset(drainGrace)
	running.Add(1)
	go func() {
		defer running.Add(-1)
		_, _ = io.CopyN(io.Discard, r.body, 64<<10)
		r.release()
	}()
}

// close ends the request, unless drain does.
func (r *reply) close() {
	if !r.drained {
		r.release()
	}
}

func (r *reply) release() {
	r.timer.Stop()
	r.cancel(nil)
	if r.body != nil {
		_ = r.body.Close()
	}
}
