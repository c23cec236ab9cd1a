package tools

import (
	"context"
	"strings"
	"testing"
)

func plain(name string) *Tool {
	return New(Tool{Name: name}, Handler[struct{}]{Run: func(context.Context, *Call, *struct{}) (*Result, error) { return Text("ok"), nil }})
}

// TestRegistry: H1, H4, S1, T5. Tools and toolsets are registered by hand, taken
// out again until the registry is frozen, and duplicates are refused.
func TestRegistry(t *testing.T) {
	r := &Registry{byName: map[string]*Tool{}}
	set := Toolset{Name: "notes", Members: []*Tool{plain("add"), plain("list")}}
	for _, err := range []error{r.Register(plain("one")), r.RegisterSet(set), r.Register(plain("two")), r.Unregister("two")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if have := names(r.List()); have != "one, notes_add, notes_list" {
		t.Errorf("%s", have)
	}
	clash := Toolset{Name: "notes", Members: []*Tool{plain("remove"), plain("list")}}
	for want, err := range map[string]error{
		`registering "one"`:      r.Register(plain("one")),
		"1 to 64":                r.Register(plain("no blanks")),
		"was not made with New":  r.Register(&Tool{Name: "bare"}),
		`the toolset "notes"`:    r.RegisterSet(clash),
		"there is no such tool":  r.Unregister("two"),
		`"": a tool's name is 1`: r.Register(plain("")),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if r.Get("notes_remove") != nil || len(r.List()) != 3 {
		t.Error("a part of a refused toolset is left")
	}
	r.Freeze()
	if r.Register(plain("late")) == nil || r.Unregister("one") == nil {
		t.Error("a frozen registry changes")
	}
}
