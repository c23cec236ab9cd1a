package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/agentd-dev/agentd/agent"
)

// mostUserFile bounds a file of the user's that the model is told.
const mostUserFile = 256 << 10

// userFiles are what the user has written for the agent, beside the config file:
// AGENTS.md and the folder commands. They are read when a session begins.
type userFiles struct{ dir string }

func (u userFiles) instructions() string { return u.read("AGENTS.md") }

func (u userFiles) commands() (list []agent.CustomCommand) {
	names, err := filepath.Glob(filepath.Join(u.dir, "commands", "*.md"))
	if err != nil {
		return nil
	}
	slices.Sort(names)
	for _, n := range names {
		if c, ok := agent.ParseCommand(filepath.Base(n), u.read(filepath.Join("commands", filepath.Base(n)))); ok {
			list = append(list, c)
		}
	}
	return list
}

// read reads a file as far as it is bounded; "" if there is none.
func (u userFiles) read(name string) string {
	if u.dir == "" {
		return ""
	}
	f, err := os.Open(filepath.Join(u.dir, name))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostUserFile))
	if err != nil {
		return ""
	}
	return string(b)
}

// shellName is what commands are run with, as the model is told.
func shellName() string {
	if runtime.GOOS == "windows" {
		return "PowerShell"
	}
	return "bash"
}
