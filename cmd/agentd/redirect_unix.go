//go:build unix && !linux

package main

import "golang.org/x/sys/unix"

// redirect makes fd to a copy of fd from.
func redirect(from, to int) error { return unix.Dup2(from, to) }
