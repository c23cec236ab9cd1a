package model

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// ErrorBody is what a server says about an error: an HTTP error's body, or an
// error object inside a stream.
type ErrorBody struct {
	Message string
	// Code is the server's own word for the error (code, type or status).
	Code string
	// Status is an HTTP status inside the body, 0 if there is none.
	Status int
}

// ParseErrorBody reads an error in any of the usual forms: {"error":{...}},
// {"error":"text"}, {"message":...}, {"detail":...}, a list of one of these,
// or a bare string. It gives nil for what says nothing: null, {}, "", false.
func ParseErrorBody(body []byte) *ErrorBody {
	if len(body) == 0 || !json.Valid(body) {
		return nil
	}
	body = body[skipSpace(body, 0):]
	e := &ErrorBody{}
	switch body[0] {
	case '"':
		e.Message = unquote(body[:skipString(body, 0)])
	case '[':
		var first *ErrorBody
		eachElement(body, func(value []byte) {
			if first == nil {
				first = ParseErrorBody(value)
			}
		})
		return first
	case '{':
		var inner *ErrorBody
		eachField(body, func(key, value []byte) { e.field(string(key), value, &inner) })
		if inner != nil {
			inner.Status = max(inner.Status, e.Status)
			if inner.Code == "" {
				inner.Code = e.Code
			}
			return inner
		}
		if e.Message == "" && (e.Code != "" || e.Status != 0) {
			e.Message = snippet(string(body))
		}
	default: // true, or a number
		if c := body[0]; c == 't' || c >= '1' && c <= '9' {
			e.Message = strings.TrimSpace(string(body))
		}
	}
	if e.Message == "" {
		return nil
	}
	return e
}

func (e *ErrorBody) field(key string, value []byte, inner **ErrorBody) {
	text := scalarText(value)
	switch key {
	case "error":
		if *inner == nil {
			*inner = ParseErrorBody(value)
		}
	case "message", "msg", "detail", "error_description":
		if text == "" && !isString(value) && !isNull(value) {
			text = snippet(string(value)) // a structured detail
		}
		if e.Message == "" {
			e.Message = text
		}
	case "code", "type", "status", "status_code":
		if n := httpStatus(value); n != 0 {
			e.Status = n
		} else if text != "" && text != "error" && !strings.Contains(e.Code, text) {
			e.Code = strings.TrimSpace(e.Code + " " + text)
		}
	}
}

func httpStatus(value []byte) int {
	text := scalarText(value)
	if len(text) != 3 || text[0] != '4' && text[0] != '5' {
		return 0
	}
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// contextWords are how servers say that a request is too long. All words of
// one line must occur.
var contextWords = [][]string{
	{"context_length"},
	{"maximum context"},
	{"context limit"},
	{"context length", "exceed"},
	{"context length", "too long"},
	{"context window"},
	{"context size", "exceed"},
	{"exceed_context_size"},
	{"prompt is too long"},
	{"input is too long"},
	{"input length", "exceed"},
	{"input token count", "exceed"},
	{"input tokens", "exceed"},
	{"reduce the length of the messages"},
	{"range of input length"},
	{"request too large", "token"},
	{"too many tokens"},
	{"token limit", "exceed"},
	{"too long", "tokens"},
	{"maximum prompt length"},
	{"model_max_prompt_tokens_exceeded"},
	{"exceeds the limit", "token", "prompt"},
	{"larger than", "context"},
}

// Kind says what kind of error the body means, given the HTTP status it came
// with (0 inside a stream).
func (e *ErrorBody) Kind(status int) ErrorKind {
	if status == 0 {
		status = e.Status
	}
	all := strings.ToLower(e.Code + " " + e.Message)
	has := func(words ...string) bool {
		for _, w := range words {
			if !strings.Contains(all, w) {
				return false
			}
		}
		return true
	}
	if status == 0 || status == 400 || status == 413 || status == 422 || status == 500 {
		for _, words := range contextWords {
			if has(words...) {
				return ErrContextLength
			}
		}
	}
	switch {
	case has("insufficient_quota"), has("insufficient balance"), has("billing"), status == 402:
		return ErrUnavailable
	case status == 401, status == 403, has("invalid_api_key"), has("authentication_error"):
		return ErrAuth
	case status == 429, has("rate_limit"), has("rate limit exceeded"):
		return ErrRateLimit
	case status >= 500, status == 408, has("overloaded"), has("server_error"), has("service_unavailable"):
		return ErrOverloaded
	case status == 404, has("model_not_found"):
		return ErrUnavailable
	case status == 413:
		return ErrContextLength
	case status >= 400:
		return ErrBadRequest
	}
	return ErrStream
}

// streamError makes the error of an error object inside a stream.
func streamError(e *ErrorBody) error {
	return &Error{Kind: e.Kind(0), Message: "the model server reported an error: " + snippet(e.Message)}
}

// snippet cuts a server's text down to what a person reads.
func snippet(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "\ufffd")
	const most = 600
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + " ..."
}
