package discover

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

type none struct{}

type openGate struct{}

func (openGate) Judge(*tools.Request) tools.Verdict { return tools.Verdict{Ruling: tools.Run} }

func (openGate) Confirm(context.Context, *tools.Request) (tools.Answer, error) {
	return tools.Answer{Decision: tools.Allow}, nil
}

func deferred(name, description string, level tools.Level) *tools.Tool {
	return tools.New(tools.Tool{Name: name, Title: name, Description: description, Level: level, Deferred: true},
		tools.Handler[none]{Run: func(context.Context, *tools.Call, *none) (*tools.Result, error) {
			return tools.Text("ran " + name), nil
		}})
}

// TestX2: deferred tools are not offered until they are found, a found one is
// offered at the end of the list, and a switched-off one is not found at all.
func TestX2(t *testing.T) {
	reg, err := tools.NewRegistry(NewSearch(),
		deferred("mcp__tracker__create_issue", "Create an issue in the tracker. Needs a title.", tools.Sensitive),
		deferred("mcp__tracker__close_issue", "Close an issue.", tools.Sensitive),
		deferred("mcp__mail__send", "Send a mail about an issue or anything else.", tools.Sensitive),
		deferred("mcp__mail__purge", "Delete every mail.", tools.Dangerous))
	if err != nil {
		t.Fatal(err)
	}
	d := &tools.Dispatcher{Registry: reg, Gate: openGate{}, Env: &tools.Env{}}
	d.Env.Catalog = d
	offered := func() (names []string) {
		for _, t := range d.Offered() {
			names = append(names, t.Name)
		}
		return names
	}
	search := func(args string) string {
		return d.Run(t.Context(), &tools.Invocation{ID: "c", Name: "tool_search", Args: args}).Text
	}
	if have := offered(); !slices.Equal(have, []string{"tool_search"}) {
		t.Errorf("offered at first: %v", have)
	}
	text := search(`{"query":"create issue","limit":2}`)
	if i, k := strings.Index(text, "create_issue: Create an issue in the tracker.\n"), strings.Index(text, "close_issue"); i < 0 || k < i {
		t.Errorf("%q", text)
	}
	if have := offered(); !slices.Equal(have, []string{"tool_search", "mcp__tracker__create_issue", "mcp__tracker__close_issue"}) {
		t.Errorf("offered then: %v", have)
	}
	if text := search(`{"query":"mcp__mail__send"}`); !strings.Contains(text, "mcp__mail__send") {
		t.Errorf("%q", text)
	}
	for _, query := range []string{"purge", "weather"} {
		if text := search(`{"query":"` + query + `"}`); !strings.Contains(text, "No other tool") {
			t.Errorf("%q", text)
		}
	}
	if r := d.Run(t.Context(), &tools.Invocation{ID: "c", Name: "mcp__mail__send", Args: "{}"}); r.Text != "ran mcp__mail__send" {
		t.Errorf("%q", r.Text)
	}
}

// TestNothingDeferred: without deferred tools there is nothing to search.
func TestNothingDeferred(t *testing.T) {
	reg, err := tools.NewRegistry(NewSearch())
	if err != nil {
		t.Fatal(err)
	}
	d := &tools.Dispatcher{Registry: reg, Env: &tools.Env{}}
	if len(d.Offered()) != 0 {
		t.Error("tool_search is offered for nothing")
	}
}
