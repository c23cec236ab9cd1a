// Package demo is a terminal client of agentd. It starts agentd as a child
// process and knows only the public protocol, as any editor would; without
// further flags it shows a scripted session in a copy of a sample project.
package demo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc"
)

// Exit codes, beside 0 for a session that went to its end.
const (
	exitFailed = 1
	exitUsage  = 2
	exitLeft   = 130 // the person left by Ctrl-C, as shells count it
)

// Run runs the subcommand and gives the exit code.
func Run(args []string, version string) int {
	o, err := parseFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "agentd demo: %v\n\n%s", err, usage)
		return exitUsage
	}
	place, err := o.place()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd demo:", err)
		return exitFailed
	}
	c := &session{options: o, place: place, screen: newScreen(os.Stdout), input: newInput(os.Stdin)}
	ctx, leave := context.WithCancelCause(context.Background())
	defer leave(nil)
	go c.watchSignals(ctx, leave)
	return c.run(ctx, version)
}

// session is one run of the client: a daemon, a session of it, a person.
type session struct {
	options options
	place   place
	screen  *screen
	input   *input
	view    *view
	client  *client
	id      string

	mu    sync.Mutex // guards state
	state turnState
}

// run starts the daemon, has the conversation, and ends the daemon whatever
// happens.
func (c *session) run(ctx context.Context, version string) int {
	c.intro()
	d, err := startDaemon(c.options.daemonFlags(c.place))
	if err != nil {
		c.screen.failure("agentd cannot be started: " + err.Error())
		return exitFailed
	}
	c.view = newView(c.screen, c.place.folder)
	person := &person{screen: c.screen, input: c.input, yes: c.options.yes, view: c.view}
	c.client = connect(d, c.view, person)
	code, err := c.talk(ctx, version)
	c.view.rest()
	d.stop(c.client, errors.Is(err, errLeft))
	switch {
	case errors.Is(err, errLeft):
		c.screen.line("Left.")
		code = exitLeft
	case err != nil:
		c.screen.failure(d.explain(err))
		code = exitFailed
	}
	c.summary(err == nil)
	return code
}

// talk opens a session and has its turns.
func (c *session) talk(ctx context.Context, version string) (int, error) {
	if err := c.open(ctx, version); err != nil {
		return 0, err
	}
	code := 0
	if text := c.options.prompt; text != "" {
		var err error
		c.view.prompt(text)
		if code, err = c.turn(ctx, text); err != nil || !c.options.loops() {
			return code, err
		}
	}
	for {
		text, err := c.nextPrompt(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return code, nil
		case err != nil:
			return 0, err
		}
		if code, err = c.turn(ctx, text); err != nil {
			return 0, err
		}
	}
}

// open says hello to the daemon and makes a session.
func (c *session) open(ctx context.Context, version string) error {
	pid := os.Getpid()
	var hello rpc.InitializeResult
	err := c.client.call(ctx, "initialize", rpc.InitializeParams{
		ProtocolVersion: rpc.ProtocolVersion,
		ClientInfo:      rpc.ClientInfo{Name: "agentd demo", Version: version},
		ProcessID:       &pid,
		Capabilities:    rpc.ClientCapabilities{Confirm: &rpc.ConfirmCapabilities{Hunks: true, EditContent: true}, AskUser: true},
	}, &hello)
	if err != nil {
		return err
	}
	if err := c.client.notify(ctx, "initialized", rpc.Empty{}); err != nil {
		return err
	}
	var made rpc.SessionNewResult
	err = c.client.call(ctx, "session/new", rpc.SessionNewParams{
		Cwd: c.place.folder, Mode: agent.Mode(c.options.mode), Enable: c.options.enabled(),
	}, &made)
	if err != nil {
		return err
	}
	c.id = made.SessionID
	c.facts(made)
	return nil
}

// turn has one turn and gives the exit code that fits its end.
func (c *session) turn(ctx context.Context, text string) (int, error) {
	c.setState(turnRuns)
	defer c.setState(noTurn)
	start := time.Now()
	var end agent.PromptResult
	err := c.client.call(ctx, "session/prompt", rpc.PromptParams{SessionID: c.id, Prompt: []agent.ContentBlock{{Type: "text", Text: text}}}, &end)
	if err != nil {
		return 0, err
	}
	c.client.closeQuestions()
	c.view.turnEnd(&end, time.Since(start), !c.place.sample)
	if end.StopReason != agent.StopEndTurn {
		return exitFailed, nil
	}
	return 0, nil
}

// nextPrompt reads the next prompt from the person; io.EOF means that there is
// none.
func (c *session) nextPrompt(ctx context.Context) (string, error) {
	for {
		c.screen.line("")
		text, err := c.input.ask(ctx, c.screen, c.screen.paint(bold, "> "))
		if err != nil {
			return "", err
		}
		switch text {
		case "":
			continue
		case "/quit", "/exit":
			return "", io.EOF
		}
		return text, nil
	}
}
