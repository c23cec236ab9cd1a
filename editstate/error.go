package editstate

// Code names the kind of an Error.
type Code string

// Error codes.
const (
	NotFound     Code = "not_found"     // no such file or folder
	OutsideRoots Code = "outside_roots" // the path leaves the workspace
	InvalidPath  Code = "invalid_path"  // no path at all: NUL, empty, wrong scheme
	NotRegular   Code = "not_regular"   // a folder, device, FIFO or socket
	NotRead      Code = "not_read"      // the model has not seen what it wants to change
	Stale        Code = "stale"         // the file is not what the model or the person saw
	NoMatch      Code = "no_match"      // old text not found, or not once
	NoChange     Code = "no_change"     // the edit changes nothing
	BadEncoding  Code = "bad_encoding"  // the text cannot be kept byte for byte
	TooLarge     Code = "too_large"
	Refused      Code = "refused" // read-only, or an editor that said no
	IO           Code = "io"
)

// Error is an error about a file. Message says what was wrong, Hint what to do
// next; both are written for the model and fit for a person.
type Error struct {
	Code    Code
	Path    string // as displayed
	Message string
	Hint    string
	// Folder is set when a file was wanted and the path is a folder.
	Folder bool
	Err    error
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
