package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
)

const mcpUsage = `agentd mcp - the MCP servers of the config file and of this folder

  agentd mcp list           list them; nothing is started
  agentd mcp test NAME      start one, show what it has or why it fails, and end it

Both take --config FILE. The servers of .mcp.json in this folder are listed, too;
testing one starts it, without asking.
`

// mcpCommand lists servers, or tries one.
func mcpCommand(args []string, w io.Writer) int {
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	name := ""
	if verb == "test" && len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch o, err := parseFlags(args); {
	case verb == "--help", verb == "-h", verb == "help", isHelp(err):
		fmt.Fprint(w, mcpUsage)
		return 0
	case err != nil:
		return badUsage(os.Stderr, err)
	case verb == "list":
		return listServers(o, w)
	case verb == "test" && name != "":
		return testServer(o, name, w)
	}
	fmt.Fprint(os.Stderr, mcpUsage)
	return 2
}

// allServers are those of the user, then those of the folder.
func allServers(o options) (list []mcp.Config, cfg config, err error) {
	if cfg, err = loadConfig(o, os.Getenv); err != nil {
		return nil, cfg, err
	}
	list = cfg.servers
	file, err := filepath.Abs(".mcp.json")
	if err != nil {
		return nil, cfg, err
	}
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return list, cfg, nil
	}
	var here []mcp.Config
	if err == nil {
		here, err = mcp.ParseFile(string(b))
	}
	if err != nil {
		return nil, cfg, fmt.Errorf("%s: %w", file, err)
	}
	return append(list, here...), cfg, nil
}

func listServers(o options, w io.Writer) int {
	list, _, err := allServers(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	if len(list) == 0 {
		fmt.Fprintln(w, `There are none. "mcpServers" of the config file `+configPath(os.Getenv)+` names them, or .mcp.json of a workspace.`)
		return 0
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "SERVER\tFROM\tTYPE\tWHAT")
	for _, c := range list {
		what := c.What()
		if c.Disabled {
			what += " (disabled)"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", c.Name, c.Source, c.Type, what)
	}
	tw.Flush()
	return 0
}

func testServer(o options, name string, w io.Writer) int {
	list, cfg, err := allServers(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
		if c.Name != name {
			continue
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		redact := tools.NewRedactor(cfg.keys...)
		st, found, stderr := mcp.Probe(ctx, c, dir, childEnviron(os.Environ(), cfg.keys), version)
		return showProbe(w, redact, st, found, stderr)
	}
	fmt.Fprintf(os.Stderr, "agentd: there is no MCP server %q; there are: %s\n", name, strings.Join(names, ", "))
	return 1
}

func showProbe(w io.Writer, redact *tools.Redactor, st mcp.ServerStatus, found []mcp.ToolText, stderr string) int {
	if st.State != mcp.Ready {
		fmt.Fprintf(w, "%s does not run: %s\n", st.Name, plain(redact, st.Error))
		return 1
	}
	fmt.Fprintf(w, "%s runs: %d tools, %d prompts, %d resources\n", st.Name, len(found), len(st.Prompts), len(st.Resources))
	for _, t := range found {
		first, _, _ := strings.Cut(t.Description, "\n")
		fmt.Fprintf(w, "  %s\n      %s\n", t.Name, plain(redact, first))
	}
	for _, p := range st.Prompts {
		fmt.Fprintf(w, "  /%s\n", p)
	}
	for _, warning := range st.Warnings {
		fmt.Fprintf(w, "warning: %s\n", plain(redact, warning))
	}
	if stderr != "" {
		fmt.Fprintf(w, "The end of what it wrote to stderr:\n%s\n", plain(redact, stderr))
	}
	return 0
}

// plain is what a server has written, for a terminal: masked, and without what the
// terminal would obey.
func plain(redact *tools.Redactor, text string) string {
	lines := strings.Split(strings.ReplaceAll(redact.Text(text), "\t", "    "), "\n")
	for i := range lines {
		lines[i] = tools.OneLine(strings.TrimSuffix(lines[i], "\r"))
	}
	return strings.Join(lines, "\n")
}
