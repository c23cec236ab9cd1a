// Command agentd is a coding-agent backend for editors: it is started by an
// editor and driven by JSON-RPC over stdin and stdout. See README.md.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/agentd-dev/agentd/cmd/agentd/demo"
)

// version is set by the linker in releases.
var version = "0.1.0-dev"

const usage = `agentd - a coding-agent backend for editors

Usage:
  agentd [flags]            serve an editor over stdin and stdout (see protocol.md)
  agentd acp [flags]        serve an editor that speaks the Agent Client Protocol: agentd acp --help
  agentd demo [flags]       try it in the terminal: agentd demo --help
  agentd tools [--json]     list the tools, their levels and schemas
  agentd audit [flags]      show what was called, allowed and changed: agentd audit --help
  agentd mcp list           list the MCP servers of the user and of this folder
  agentd mcp test NAME      start one, and show what it has
  agentd protocol --json    print a JSON Schema of every message
  agentd version            print the version

Flags:
  --framing F      headers (Content-Length, the default) or lines (one message a line)
` + sharedFlags

// sharedFlags are those of every protocol.
const sharedFlags = `  --model NAME     the model; replay:FILE plays a recording, replay:demo the built-in one
  --base-url URL   the OpenAI-compatible server
  --record FILE    record the model's replies, to play them with --model replay:FILE
  --replay-speed S how fast recordings are played: real or full (the default)
  --config FILE    the config file instead of the user's
  --state-dir DIR  where sessions and the audit are kept
  --log FILE       write the log to a file instead of stderr
  --log-level L    debug, info, warning (the default) or error

Environment: MODEL_API_KEY or OPENAI_API_KEY, BASE_URL or OPENAI_BASE_URL, MODEL.
`

func main() { os.Exit(run(os.Args[1:])) }

// run runs a subcommand and gives the exit code.
func run(args []string) int {
	name := ""
	if len(args) > 0 && len(args[0]) > 0 && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	switch name {
	case "":
		if len(args) == 1 && args[0] == "--version" {
			return run([]string{"version"})
		}
		return serve(args)
	case "acp":
		return serveACP(args)
	case "demo":
		return demo.Run(args, version)
	case "tools":
		return listTools(args, os.Stdout)
	case "audit":
		return printAudit(args, os.Stdout)
	case "mcp":
		return mcpCommand(args, os.Stdout)
	case "protocol":
		return printProtocol(args, os.Stdout)
	case "version":
		fmt.Println("agentd", version)
		return 0
	case "help":
		fmt.Print(usage)
		return 0
	}
	return badUsage(os.Stderr, fmt.Errorf("there is no command %q", name))
}

// badUsage says what is wrong with the command line.
func badUsage(w io.Writer, err error) int {
	fmt.Fprintf(w, "agentd: %v\n\n%s", err, usage)
	return 2
}
