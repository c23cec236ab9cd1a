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
// AGENTS.md and the folders commands and agents. They are read when a session begins.
type userFiles struct{ dir string }

func (u userFiles) instructions() string { return u.read("AGENTS.md") }

func (u userFiles) commands() []agent.CustomCommand {
	return parsed(u, "commands", agent.ParseCommand)
}

func (u userFiles) agents() []agent.AgentType { return parsed(u, "agents", agent.ParseAgentType) }

// skills are the folders with skills: agentd's own, and the one that agents
// share.
func (u userFiles) skills() (dirs []string) {
	if u.dir != "" {
		dirs = append(dirs, filepath.Join(u.dir, "skills"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".agents", "skills"))
	}
	return dirs
}

// parsed reads the Markdown files of a folder.
func parsed[T any](u userFiles, folder string, parse func(file, text string) (T, bool)) (list []T) {
	names, err := filepath.Glob(filepath.Join(u.dir, folder, "*.md"))
	if err != nil || u.dir == "" {
		return nil
	}
	slices.Sort(names)
	for _, n := range names {
		base := filepath.Base(n)
		if v, ok := parse(base, u.read(filepath.Join(folder, base))); ok {
			list = append(list, v)
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
