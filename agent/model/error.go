package model

import (
	"fmt"
	"time"
)

// ErrorKind says what kind of trouble a model request met, so that the agent
// can choose between retrying, compacting and giving up.
type ErrorKind string

// Kinds of model errors.
const (
	ErrAuth          ErrorKind = "auth_required"     // no key, or the server refused it
	ErrRateLimit     ErrorKind = "rate_limited"      // 429
	ErrOverloaded    ErrorKind = "overloaded"        // 5xx
	ErrConnection    ErrorKind = "connection"        // refused, reset, DNS, TLS
	ErrCut           ErrorKind = "stream_cut"        // the stream ended before its end
	ErrStalled       ErrorKind = "stream_stalled"    // no byte for the idle time-out
	ErrContextLength ErrorKind = "context_length"    // the request is longer than the context
	ErrBadRequest    ErrorKind = "bad_request"       // any other 4xx
	ErrStream        ErrorKind = "model_error"       // an error object inside the stream
	ErrReply         ErrorKind = "bad_reply"         // a reply that is no chat completion
	ErrReplay        ErrorKind = "replay_mismatch"   // a recording does not fit the request
	ErrUnavailable   ErrorKind = "model_unavailable" // no such model, no such file, no credit
	ErrCancelled     ErrorKind = "cancelled"         // the request's context ended; Err is its cause
)

// Error is what a stream fails with. Message is for the user; it never holds
// the API key.
type Error struct {
	Kind       ErrorKind
	Status     int // HTTP status, 0 if none
	Message    string
	RetryAfter time.Duration // what the server asked for, 0 if nothing
	Err        error
}

// Error implements error.
func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d)", e.Message, e.Status)
	}
	return e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later. A 400 is never
// retried unchanged.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case ErrRateLimit, ErrOverloaded, ErrConnection, ErrCut, ErrStalled:
		return true
	}
	return false
}
