// Command cmd serves a script of the fake model to tests that are not written
// in Go. It prints the base URL and serves until its stdin ends; then it says
// what was wrong with the requests, and fails if anything was.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/agentd-dev/agentd/tests/fakemodel"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: go run ./tests/fakemodel/cmd SCRIPT")
	}
	script, err := os.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("reading the script: %w", err)
	}
	s, err := fakemodel.New(string(script))
	if err != nil {
		return err
	}
	fmt.Println(s.URL)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return fmt.Errorf("waiting for the end of stdin: %w", err)
	}
	s.Close()
	for _, e := range s.Errors() {
		err = fmt.Errorf("the requests were not as the script wants them")
		fmt.Fprintln(os.Stderr, e)
	}
	return err
}
