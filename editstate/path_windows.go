//go:build windows

package editstate

import (
	"errors"
	"syscall"
)

func isNotDir(err error) bool { return errors.Is(err, syscall.ERROR_DIRECTORY) }

const openNonblock = 0
