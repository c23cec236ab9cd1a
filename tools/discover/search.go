// Package discover holds the tool that finds other tools.
package discover

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed search.md
var searchText string

// SearchParams are the arguments of tool_search.
type SearchParams struct {
	Query string `json:"query" jsonschema:"minLength=1,description=What the tool should do\\, in a few words\\, or its name."`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=20,default=5,description=How many tools at most."`
}

// NewSearch makes tool_search.
func NewSearch() *tools.Tool {
	return tools.New(tools.Tool{
		Name: tools.SearchTool, Title: "Find tools", Description: searchText,
		Kind: tools.KindSearch, Level: tools.Safe, Traits: tools.Traits{ReadOnly: true},
	}, tools.Handler[SearchParams]{
		Plan: func(_ context.Context, _ *tools.Call, p *SearchParams) (*tools.Plan, error) {
			return &tools.Plan{Title: fmt.Sprintf("Find tools for %q", p.Query)}, nil
		},
		Run: search,
	})
}

func search(_ context.Context, c *tools.Call, p *SearchParams) (*tools.Result, error) {
	var found []*tools.Tool
	if c.Env.Catalog != nil {
		found = c.Env.Catalog.Find(p.Query, p.Limit)
	}
	if len(found) == 0 {
		return tools.Text(fmt.Sprintf("No other tool fits %q. Use the tools that you have, or try other words.", p.Query)), nil
	}
	var out strings.Builder
	var names []string
	out.WriteString("From your next message on you can call:\n")
	for _, t := range found {
		names = append(names, t.Name)
		fmt.Fprintf(&out, "- %s: %s\n", t.Name, firstSentence(t.Description))
	}
	c.Env.Catalog.Load(names...)
	r := tools.Text(out.String())
	r.Data = map[string]any{"tools": names}
	return r, nil
}

// firstSentence shortens a description.
func firstSentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i+1]
	}
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return s
}
