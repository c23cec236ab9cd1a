package agent

// ErrorKind names the kind of an Error; it is "data.kind" on the wire.
type ErrorKind string

// Kinds of errors.
const (
	ErrSessionNotFound ErrorKind = "session_not_found"
	ErrBusy            ErrorKind = "session_busy"
	ErrClosed          ErrorKind = "session_closed"
	ErrInvalid         ErrorKind = "invalid"
	ErrOutsideRoots    ErrorKind = "path_outside_roots"
	ErrAuthRequired    ErrorKind = "auth_required"
	ErrNoModel         ErrorKind = "model_unavailable"
	ErrTooMany         ErrorKind = "overloaded"
	ErrLocked          ErrorKind = "session_locked" // another process has it open
	ErrInternal        ErrorKind = "internal"
)

// Error is an error of a request to the agent. Message is for a person.
type Error struct {
	Kind    ErrorKind
	Message string
	Err     error
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
