package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/agentd-dev/agentd/rpc/acp"
)

const acpUsage = `agentd acp - serve an editor that speaks the Agent Client Protocol

The editor starts it and speaks ACP version 1 over stdin and stdout, one message
a line. README.md has the configuration for editors, protocol.md what they get.

Usage:
  agentd acp [flags]        serve
  agentd acp --setup        ask for the model's server and key, in the terminal

Flags:
` + sharedFlags

// serveACP runs the daemon for an editor that speaks ACP.
func serveACP(args []string) int {
	rest := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--setup" || a == "-setup" })
	o, err := parseFlags(rest)
	if isHelp(err) {
		fmt.Print(acpUsage)
		return 0
	}
	if err == nil && o.framing != "headers" {
		err = fmt.Errorf("--framing: ACP has one message a line, always")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "agentd: %v\n\n%s", err, acpUsage)
		return 2
	}
	if len(rest) < len(args) {
		return setUp(o, os.Stdin, os.Stdout)
	}
	found := environment(os.Getenv)
	return serveWith(o, func(ctx context.Context, d *daemon, out io.Writer) int {
		return acp.Serve(ctx, acp.Config{In: os.Stdin, Out: out, Agent: d.agent, Name: "agentd", Version: version,
			Keys: &keys{o: o, env: found, d: d}, SecretNames: keyNames})
	})
}

// environment keeps what the keys were when agentd was started: they are removed
// from the environment of the process.
func environment(env func(string) string) func(string) string {
	kept := map[string]string{}
	for _, name := range keyNames {
		kept[name] = env(name)
	}
	return func(name string) string {
		if v, ok := kept[name]; ok {
			return v
		}
		return env(name)
	}
}

// keys are those of the model's server, for a client that logs in and out.
type keys struct {
	o   options
	env func(string) string
	d   *daemon
}

// Refresh implements acp.Keys.
func (k *keys) Refresh() error {
	cfg, err := loadConfig(k.o, k.env)
	if err != nil {
		return err
	}
	k.d.models.use(cfg, func() { k.d.redactor.Add(cfg.keys...) })
	_, err = k.d.models.Open("")
	return err
}

// Forget implements acp.Keys.
func (k *keys) Forget() { k.d.models.forget() }
