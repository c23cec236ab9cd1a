package rpc

import (
	"errors"
	"fmt"

	"github.com/agentd-dev/agentd/agent"
)

// Error codes. Those of JSON-RPC and LSP keep their meaning; agentd's own are
// positive, outside every reserved range. data.kind says the same in words.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
	CodeNotInitialized = -32002 // LSP: ServerNotInitialized
	CodeCancelled      = -32800 // LSP: RequestCancelled

	CodeSessionNotFound    = 1001
	CodeSessionBusy        = 1002
	CodeSessionLocked      = 1003
	CodeVersionUnsupported = 1004
	CodeAuthRequired       = 1005
	CodeModelUnavailable   = 1006
	CodePathOutsideRoots   = 1007
	CodeOverloaded         = 1008
	CodeMessageTooLarge    = 1009
	CodeSessionClosed      = 1010
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

func errorf(code int, kind, format string, a ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, a...), Data: &ErrorData{Kind: kind}}
}

func invalidParams(format string, a ...any) *Error {
	return errorf(CodeInvalidParams, "invalid_params", format, a...)
}

var agentCodes = map[agent.ErrorKind]int{
	agent.ErrSessionNotFound: CodeSessionNotFound,
	agent.ErrBusy:            CodeSessionBusy,
	agent.ErrClosed:          CodeSessionClosed,
	agent.ErrInvalid:         CodeInvalidParams,
	agent.ErrOutsideRoots:    CodePathOutsideRoots,
	agent.ErrAuthRequired:    CodeAuthRequired,
	agent.ErrNoModel:         CodeModelUnavailable,
	agent.ErrTooMany:         CodeOverloaded,
	agent.ErrLocked:          CodeSessionLocked,
	agent.ErrInternal:        CodeInternalError,
}

// wireError gives any error its code.
func wireError(err error) *Error {
	var we *Error
	if errors.As(err, &we) {
		return we
	}
	var ae *agent.Error
	if errors.As(err, &ae) {
		return errorf(agentCodes[ae.Kind], string(ae.Kind), "%s", ae.Message)
	}
	return errorf(CodeInternalError, "internal", "%s", err.Error())
}
