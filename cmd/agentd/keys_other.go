//go:build !linux

package main

import "os"

// forgetKeys removes the key from the environment of this process.
func forgetKeys(string) {
	for _, name := range keyNames {
		os.Unsetenv(name)
	}
}
