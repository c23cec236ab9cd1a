package rpc

import (
	"errors"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// Error codes. Those of JSON-RPC and LSP keep their meaning; agentd's own are
// positive, outside every reserved range. data.kind says the same in words.
const (
	CodeParseError     = wire.CodeParseError
	CodeInvalidRequest = wire.CodeInvalidRequest
	CodeMethodNotFound = wire.CodeMethodNotFound
	CodeInvalidParams  = wire.CodeInvalidParams
	CodeInternalError  = wire.CodeInternalError
	CodeNotInitialized = -32002 // LSP: ServerNotInitialized
	CodeCancelled      = wire.CodeCancelled

	CodeSessionNotFound    = 1001
	CodeSessionBusy        = 1002
	CodeSessionLocked      = 1003
	CodeVersionUnsupported = 1004
	CodeAuthRequired       = 1005
	CodeModelUnavailable   = 1006
	CodePathOutsideRoots   = 1007
	CodeOverloaded         = wire.CodeOverloaded
	CodeMessageTooLarge    = wire.CodeMessageTooLarge
	CodeSessionClosed      = 1010
)

// Error is a JSON-RPC error object.
type Error = wire.Error

func errorf(code int, kind, format string, a ...any) *Error {
	return wire.Errorf(code, kind, format, a...)
}

func invalidParams(format string, a ...any) *Error { return wire.InvalidParams(format, a...) }

// AgentCodes are the codes for the errors of package agent.
var AgentCodes = map[agent.ErrorKind]int{
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

// ErrorOf gives any error its code.
func ErrorOf(err error) *Error {
	var we *Error
	if errors.As(err, &we) {
		return we
	}
	var ae *agent.Error
	if errors.As(err, &ae) {
		return errorf(AgentCodes[ae.Kind], string(ae.Kind), "%s", ae.Message)
	}
	return errorf(CodeInternalError, "internal", "%s", err.Error())
}
