package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"
)

// stream is the ObjectStream that we give to sourcegraph/jsonrpc2. The library
// closes the connection on anything malformed, knows no batches, changes ids
// that are no small integers, and decodes parameters through maps, which costs
// a second for 8 MiB. So the stream reads messages itself, answers what is
// malformed, and hands the library envelopes: ids of its own counting and no
// bodies. The body of the message being handled is in current.
type stream struct {
	in  *frameReader
	out *outbox

	noBatches bool
	// rest is what is left of a batch.
	rest []json.RawMessage
	b    *batch

	// current is the message that the library was given last. It belongs to
	// the reader's goroutine, in which the library calls the handler.
	current *Message
	nextID  uint64

	// deliver takes the body of a response to one of our calls and reports
	// whether there was such a call.
	deliver func(call uint64, m *Message) bool
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject gives the library the envelope of the next message.
func (s *stream) ReadObject(v any) error {
	for {
		m, err := s.next()
		if err != nil {
			return err
		}
		if m == nil {
			continue
		}
		env := struct {
			Method string `json:"method,omitempty"`
			ID     uint64 `json:"id,omitempty"`
			Result *bool  `json:"result,omitempty"`
		}{Method: m.Method}
		switch {
		case m.isResponse():
			call, err := strconv.ParseUint(string(m.id), 10, 64)
			if err != nil || !s.deliver(call, m) {
				slog.Debug("a response to no open request", "id", string(m.id))
				continue
			}
			there := true
			env.ID, env.Result = call, &there
		case !m.IsNotification():
			s.nextID++
			env.ID = s.nextID
		}
		s.current = m
		b, err := json.Marshal(env)
		if err != nil {
			return err
		}
		return json.Unmarshal(b, v)
	}
}

// next reads one message; nil if it was answered here.
func (s *stream) next() (*Message, error) {
	if len(s.rest) > 0 {
		raw := s.rest[0]
		s.rest = s.rest[1:]
		last := len(s.rest) == 0
		m := s.parse(raw, s.b)
		if last {
			b := s.b
			s.b = nil
			b.release()
		}
		return m, nil
	}
	raw, err := s.in.next()
	var fe *frameError
	if errors.As(err, &fe) {
		s.out.put(replyFrame(nil, nil, Errorf(fe.code, fe.kind, "%s", fe.text)))
		if fe.fatal {
			slog.Error("the connection cannot go on", "err", fe)
			return nil, io.EOF
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		if s.in.framing == Headers {
			s.parse(raw, nil)
		}
		return nil, nil
	}
	if raw[0] == '[' && json.Valid(raw) {
		s.openBatch(raw)
		return nil, nil
	}
	return s.parse(raw, nil), nil
}

func (s *stream) openBatch(raw []byte) {
	if s.noBatches {
		s.out.put(replyFrame(nil, nil, Errorf(CodeInvalidRequest, "invalid_request", "this protocol has no batches")))
		return
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 || len(list) > maxBatch {
		s.out.put(replyFrame(nil, nil, Errorf(CodeInvalidRequest, "invalid_request", "a batch has 1 to %d messages", maxBatch)))
		return
	}
	s.rest = list
	s.b = &batch{send: s.out.put, open: 1}
}

// parse reads a message and answers what is none.
func (s *stream) parse(raw []byte, b *batch) *Message {
	m, werr, id := parseMessage(raw)
	if werr != nil {
		frame := replyFrame(id, nil, werr)
		if b == nil {
			s.out.put(frame)
		} else {
			b.expect()
			b.reply(frame)
		}
		return nil
	}
	if b != nil && m.Method != "" && m.id != nil {
		b.expect()
		m.batch = b
	}
	return m
}

// WriteObject writes what the library sends: the requests of our calls.
func (s *stream) WriteObject(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if !s.out.put(b) {
		return jsonrpc2.ErrClosed
	}
	return nil
}

// Close does nothing: at the end of the input there may be replies to come.
// The server closes the outbox when all is settled.
func (s *stream) Close() error { return nil }
