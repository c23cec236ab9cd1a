package search

import "testing"

// makeFIFO makes nothing: there are no named pipes among the files here.
func makeFIFO(*testing.T, string) {}
