package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentd-dev/agentd/rpc"
)

// intro says what this is, before anything happens.
func (c *session) intro() {
	s := c.screen
	if !c.place.sample {
		return
	}
	s.line(s.paint(bold, "agentd demo"))
	text := "agentd is a coding agent for editors: an editor starts it and talks JSON-RPC with it. " +
		"Here this terminal is the editor. The daemon, its tools and the files are real; you are asked before anything is changed."
	if c.options.model == scripted {
		text += " Only the model is played by a script: no key is needed, and nothing leaves this machine."
	}
	s.para("", "", text)
}

// facts says where the session works, and with what.
func (c *session) facts(made rpc.SessionNewResult) {
	s := c.screen
	folder, model, mode := c.place.folder, made.Model, string(made.Mode)
	if c.place.sample {
		folder += " (a copy of the sample project)"
	}
	if model == scripted {
		model += " (a script)"
	}
	if c.options.yes {
		mode += ", and --yes: everything is allowed"
	}
	s.line("")
	for _, f := range [][2]string{{"folder", folder}, {"model", model}, {"mode", mode}} {
		text := s.fold("", "        ", f[1])
		s.line(s.paint(dim, fmt.Sprintf("%-8s", f[0])) + strings.TrimLeft(text, " "))
	}
	if c.options.loops() {
		s.lines(dim, "", "Type what is to be done, /help for commands, /quit to leave. Ctrl-C cancels a turn.")
	}
}

// summary says what has come of it, and what to try next.
func (c *session) summary(next bool) {
	s := c.screen
	if !c.place.sample && len(c.view.files) == 0 {
		return
	}
	s.line("")
	if len(c.view.files) == 0 {
		s.line(s.paint(bold, "Nothing was changed") + " in " + c.place.folder)
	} else {
		s.line(s.paint(bold, "Changed") + " in " + c.place.folder)
		for _, f := range c.view.files {
			s.line(fmt.Sprintf("  %s  %s %s", plain(f.path), s.paint(green, fmt.Sprintf("+%d", f.plus)), s.paint(red, fmt.Sprintf("-%d", f.minus))))
		}
	}
	if !c.place.sample {
		return
	}
	s.lines(dim, "  ", "It is a throw-away copy: look around in it, delete it when you like.")
	if !next {
		return
	}
	me := self(os.Args[0], os.TempDir())
	s.line("\n" + s.paint(bold, "Next"))
	for _, n := range [][2]string{
		{me + " demo", "once more: say no, take single hunks, give feedback (f)"},
		{me + ` demo --dir . "your task"`, "a real model in a real folder; set OPENAI_API_KEY and MODEL first, or BASE_URL for a server of your own"},
		{"README.md", "VS Code, other editors, and a client of 25 lines of Python"},
		{"protocol.md", "every message, to drive agentd from a program"},
	} {
		s.line("  " + s.paint(cyan, n[0]))
		s.lines(dim, "      ", n[1])
	}
}

// self is how the person started this program; a binary that was built for
// this one run has no name to repeat.
func self(arg0, temp string) string {
	if strings.HasPrefix(filepath.Clean(arg0), filepath.Clean(temp)+string(filepath.Separator)) {
		return "agentd"
	}
	return arg0
}
