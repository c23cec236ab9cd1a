package main

import "os"

// claimStdout keeps stdout for the protocol; whatever else this process prints
// goes to stderr.
func claimStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}
