package demo

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const usage = `agentd demo - agentd in the terminal

Usage:
  agentd demo                        a scripted session in a copy of a sample project;
                                     it needs no key and no network
  agentd demo --dir D ["prompt"]     real work: a real model in the folder D

Flags:
  --dir D         the folder to work in; then prompts are read until /quit or
                  the end of the input
  --model NAME    the model, or replay:FILE for a recording
  --base-url URL  the OpenAI-compatible server
  --mode M        ask (the default), plan, accept-edits or auto
  --enable NAME   switch on a tool that is off by default, e.g. run_command
  --yes           allow everything and answer each question with its first
                  option, without asking: for scripts and CI

Ctrl-C cancels the turn; a second one leaves. The key and the server are found
as always: see agentd --help.
`

// options are the flags of the subcommand.
type options struct {
	dir     string
	model   string
	baseURL string
	mode    string
	enable  []string
	yes     bool
	prompt  string
}

// samplePrompt is what the person asks in the sample project.
const samplePrompt = "100 split among 3 comes to 99. Find out why, and mend it."

// scripted is the name of the built-in replay.
const scripted = "replay:demo"

func parseFlags(args []string) (options, error) {
	var o options
	fs := flag.NewFlagSet("agentd demo", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.dir, "dir", "", "")
	fs.StringVar(&o.model, "model", "", "")
	fs.StringVar(&o.baseURL, "base-url", "", "")
	fs.StringVar(&o.mode, "mode", "", "")
	fs.BoolVar(&o.yes, "yes", false, "")
	fs.Func("enable", "", func(name string) error {
		o.enable = append(o.enable, name)
		return nil
	})
	// Flags may also stand after the prompt, as people type them.
	var words []string
	for rest := args; len(rest) > 0; {
		if err := fs.Parse(rest); err != nil {
			return o, err
		}
		if rest = fs.Args(); len(rest) > 0 {
			words, rest = append(words, rest[0]), rest[1:]
		}
	}
	o.prompt = strings.Join(words, " ")
	if o.dir == "" {
		if o.prompt == "" {
			o.prompt = samplePrompt
		}
		if o.model == "" && o.baseURL == "" {
			o.model = scripted
		}
	}
	return o, nil
}

// loops reports whether prompts are read from the person.
func (o options) loops() bool { return o.dir != "" && !(o.yes && o.prompt != "") }

// enabled are the tools to switch on. The sample project is a throw-away copy
// and its script runs the tests.
func (o options) enabled() []string {
	if o.dir == "" {
		return append([]string{"run_command"}, o.enable...)
	}
	return o.enable
}

// place is where the session works.
type place struct {
	folder string
	sample bool
	// scratch holds the sample project and the state of its daemon, so that
	// the person's own sessions are left alone.
	scratch string
}

// place finds the folder, or makes the copy of the sample project.
func (o options) place() (place, error) {
	if o.dir == "" {
		return copySample()
	}
	folder, err := filepath.Abs(o.dir)
	if err != nil {
		return place{}, err
	}
	switch fi, err := os.Stat(folder); {
	case err != nil:
		return place{}, fmt.Errorf("--dir: %w", err)
	case !fi.IsDir():
		return place{}, errors.New("--dir: " + folder + " is a file, not a folder")
	}
	return place{folder: folder}, nil
}

// daemonFlags are the flags of the child.
func (o options) daemonFlags(p place) []string {
	var flags []string
	if o.model != "" {
		flags = append(flags, "--model", o.model)
	}
	if o.baseURL != "" {
		flags = append(flags, "--base-url", o.baseURL)
	}
	if p.scratch != "" {
		flags = append(flags, "--state-dir", filepath.Join(p.scratch, "state"))
	}
	return flags
}
