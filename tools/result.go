package tools

import (
	"encoding/json"
	"errors"
	"time"
)

// Status says how a call went.
type Status string

// Statuses of a result. Partial means that something was done, but less than
// was asked for: a timeout, a refused hunk, a page of many.
const (
	Success Status = "success"
	Partial Status = "partial"
	Failed  Status = "error"
)

// Code names the kind of an error for programs.
type Code string

// Error codes.
const (
	CodeNotFound         Code = "NOT_FOUND"         // no such tool, file, folder
	CodeInvalidArguments Code = "INVALID_ARGUMENTS" // the arguments do not fit the schema
	CodeDisabled         Code = "DISABLED"          // the tool is off
	CodeDenied           Code = "DENIED"            // a person or a rule said no
	CodeCircuitOpen      Code = "CIRCUIT_OPEN"      // the tool failed too often
	CodeExecution        Code = "EXECUTION_ERROR"   // it ran and failed
	CodeTimeout          Code = "TIMEOUT"           // it took too long
	CodeCancelled        Code = "CANCELLED"         // the turn was cancelled
	CodeConflict         Code = "CONFLICT"          // the file is not what was read or approved
	CodeNotRead          Code = "NOT_READ"          // edit without a read
	CodeNoMatch          Code = "NO_MATCH"          // old_string does not occur, or not once
	CodeOutside          Code = "OUTSIDE_WORKSPACE" // the path leaves the roots
	CodeUnavailable      Code = "UNAVAILABLE"       // a part that the call needs is missing
)

// Result is what a call gives back.
type Result struct {
	Status Status `json:"status"`
	// Text is what the model reads.
	Text string `json:"text"`
	// Image, if set, is a data URL shown to models that take images.
	Image string `json:"image,omitempty"`
	// Data is the same for programs; its shape is the tool's own.
	Data  any         `json:"data,omitempty"`
	Error *Error      `json:"error,omitempty"`
	Stats ResultStats `json:"stats"`
	// Context names the circumstances that explain the result, e.g. the
	// folder a command ran in.
	Context map[string]string `json:"context,omitempty"`
	// Changes are the files that were written, as they were written.
	Changes []FileChange `json:"changes,omitempty"`
	// Abort asks the agent to end the turn: the person chose Abort.
	Abort bool `json:"-"`
	// Fault marks a failure of the tool itself (crash, time-out, transport)
	// rather than of the call: the circuit breaker counts only these.
	Fault bool `json:"-"`
}

// ResultStats measure a call.
type ResultStats struct {
	// Elapsed is the time in Run, in milliseconds.
	Elapsed float64 `json:"elapsedMs"`
	// Bytes is the length of Text before it was capped.
	Bytes int `json:"bytes"`
	// Truncated is set when Text was capped.
	Truncated bool `json:"truncated,omitempty"`
}

// FileChange is a file that a call wrote.
type FileChange struct {
	Path       string `json:"path"` // absolute
	Op         string `json:"op"`
	HashBefore string `json:"hashBefore,omitempty"`
	HashAfter  string `json:"hashAfter,omitempty"`
	Diff       string `json:"diff,omitempty"`
}

// Error is an error of a call, for the model and for programs. Message says
// what was wrong, Hint what to do next.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Err     error  `json:"-"`
}

// Error implements error.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "\n" + e.Hint
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Text makes a successful result.
func Text(s string) *Result { return &Result{Status: Success, Text: s} }

// ErrorResult makes a failed result from any error.
func ErrorResult(err error) *Result {
	te := &Error{}
	if !errors.As(err, &te) {
		te = &Error{Code: CodeExecution, Message: err.Error(), Err: err}
	}
	return &Result{Status: Failed, Text: te.Error(), Error: te}
}

// elapsed gives d in milliseconds.
func elapsed(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// asJSON is for short values that cannot fail to encode.
func asJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
