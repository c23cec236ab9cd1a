package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Method handles one method of a server S; later, if not nil, is run in a
// goroutine.
type Method[S any] func(s S, ctx context.Context, params json.RawMessage) (result any, later func() (any, error), err error)

// Quick makes a method that answers at once, in the order of arrival.
func Quick[S, P, R any](f func(s S, p *P) (R, error)) Method[S] {
	return func(s S, _ context.Context, params json.RawMessage) (any, func() (any, error), error) {
		p, err := DecodeParams[P](params)
		if err != nil {
			return nil, nil, err
		}
		r, err := f(s, p)
		return r, nil, err
	}
}

// Slow makes a method that runs beside the others.
func Slow[S, P, R any](f func(s S, ctx context.Context, p *P) (R, error)) Method[S] {
	return func(s S, ctx context.Context, params json.RawMessage) (any, func() (any, error), error) {
		p, err := DecodeParams[P](params)
		if err != nil {
			return nil, nil, err
		}
		return nil, func() (any, error) { return f(s, ctx, p) }, nil
	}
}

// DecodeParams reads parameters: an object, or nothing at all.
func DecodeParams[P any](raw json.RawMessage) (*P, error) {
	p := new(P)
	if raw == nil {
		return p, nil
	}
	if raw[0] != '{' {
		if string(bytes.TrimSpace(raw)) == "[]" {
			return p, nil
		}
		return nil, InvalidParams("params must be an object")
	}
	if err := Decode(raw, p); err != nil {
		sep := ": "
		if ute := new(json.UnmarshalTypeError); errors.As(err, &ute) && ute.Field != "" {
			sep = "."
		}
		return nil, InvalidParams("params%s%v", sep, err)
	}
	return p, nil
}

// typeError is an error of Decode, in words.
type typeError struct{ *json.UnmarshalTypeError }

// Error implements error.
func (e typeError) Error() string {
	text := fmt.Sprintf("a %s does not fit", e.Value)
	if e.Field != "" {
		text = e.Field + ": " + text
	}
	return text
}

// Unwrap gives the cause.
func (e typeError) Unwrap() error { return e.UnmarshalTypeError }

// Decode reads JSON. Its error is for the one who has sent it: it names the field
// and no Go type.
func Decode(raw json.RawMessage, into any) error {
	err := json.Unmarshal(raw, into)
	if ute := new(json.UnmarshalTypeError); errors.As(err, &ute) {
		return typeError{ute}
	}
	return err
}

// Required reports a parameter that is missing.
func Required(name, value string) error {
	if value == "" {
		return InvalidParams("params.%s is missing", name)
	}
	return nil
}
