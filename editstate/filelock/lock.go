// Package filelock takes files for one process at a time.
package filelock

import "errors"

// ErrLocked says that another process has the file.
var ErrLocked = errors.New("the file is locked by another process")
