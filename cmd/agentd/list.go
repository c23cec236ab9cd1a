package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc"
	"github.com/agentd-dev/agentd/tools/builtin"
)

// listTools prints the built-in tools: a table, or JSON in the shape of
// tools/list. It needs no workspace and no model.
func listTools(args []string, w io.Writer) int {
	asJSON := len(args) == 1 && args[0] == "--json"
	if len(args) > 0 && !asJSON {
		return badUsage(os.Stderr, fmt.Errorf("agentd tools takes --json and nothing else"))
	}
	var list rpc.ToolsResult
	for _, t := range builtin.Tools() {
		list.Tools = append(list.Tools, agent.DescribeTool(t, t.OnByDefault()))
	}
	if asJSON {
		return printJSON(w, list)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "TOOL\tLEVEL\tON\tWHAT")
	for _, t := range list.Tools {
		on := "yes"
		if !t.Enabled {
			on = "no"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", t.Name, t.Level, on, t.Title)
	}
	tw.Flush()
	return 0
}

func printJSON(w io.Writer, v any) int {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	return 0
}

// printProtocol prints the schema of the native protocol.
func printProtocol(args []string, w io.Writer) int {
	if len(args) != 1 || args[0] != "--json" {
		return badUsage(os.Stderr, fmt.Errorf("use agentd protocol --json"))
	}
	return printJSON(w, rpc.Schema())
}
