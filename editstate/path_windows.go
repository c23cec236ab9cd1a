//go:build windows

package editstate

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isNotDir(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }

const openNonblock = 0
