package model

import (
	"bytes"
	"errors"
	"io"
	"iter"
)

// ReadStream reads a chat completion that comes as server-sent events. It
// understands what OpenAI documents and the dialects of servers that only
// resemble it. finishing, if not nil, is called when the model has finished
// and only the usage and the end of the stream are due.
func ReadStream(body io.Reader, finishing func()) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		a := &assembler{finishing: finishing}
		sse := newSSEReader(body)
		for {
			name, data, unterminated, err := sse.next()
			switch {
			case err == errSSETooLong:
				yield(nil, &Error{Kind: ErrReply, Message: err.Error()})
				return
			case err != nil:
				a.yieldEnd(err, yield)
				return
			case string(bytes.TrimSpace(data)) == "[DONE]":
				a.done = true
				a.yieldEnd(nil, yield)
				return
			}
			if err := a.chunk(name, data, unterminated); err != nil {
				yield(nil, err)
				return
			}
			if !a.yieldOut(yield) {
				return
			}
		}
	}
}

// ReadCompletion reads a chat completion that comes as one JSON object, as
// from a server that does not stream.
func ReadCompletion(body []byte) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		a := &assembler{}
		if err := a.chunk("", body, true); err != nil {
			if e := (*Error)(nil); errors.As(err, &e) && e.Kind == ErrCut {
				err = notACompletion(body)
			}
			yield(nil, err)
			return
		}
		if !a.sawChoice {
			yield(nil, notACompletion(body))
			return
		}
		a.done = true
		if a.yieldOut(yield) {
			a.yieldEnd(nil, yield)
		}
	}
}

func notACompletion(body []byte) error {
	return &Error{Kind: ErrReply, Message: "the server's answer is no chat completion: " + snippet(string(body))}
}
