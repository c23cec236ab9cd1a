package wire

import "fmt"

// Error codes of JSON-RPC and LSP, and those of agentd's own that the
// connection itself needs. data.kind says the same in words.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
	CodeCancelled      = -32800 // LSP: RequestCancelled

	CodeOverloaded      = 1008
	CodeMessageTooLarge = 1009
)

// Error is a JSON-RPC error object.
type Error struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Data    *ErrorData `json:"data,omitempty"`
}

// ErrorData says in words what kind of error it is.
type ErrorData struct {
	Kind string `json:"kind"`
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Errorf makes an error.
func Errorf(code int, kind, format string, a ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, a...), Data: &ErrorData{Kind: kind}}
}

// InvalidParams makes the error for parameters that do not fit.
func InvalidParams(format string, a ...any) *Error {
	return Errorf(CodeInvalidParams, "invalid_params", format, a...)
}
