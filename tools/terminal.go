package tools

import "time"

// TerminalCommand is a command for a terminal of the editor's.
type TerminalCommand struct {
	CallID  string
	Program string
	Args    []string
	Env     []string // "NAME=value", beside what the editor sets
	Cwd     string   // absolute
	Limit   time.Duration
}

// TerminalEnd says how it ended there.
type TerminalEnd struct {
	Output string
	// Truncated is set when the editor has kept only the end of the output.
	Truncated bool
	ExitCode  int // -1 if it did not exit by itself
	Signal    string
	TimedOut  bool
	Cancelled bool
}
