package mcp

import (
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestDeferred: all tools are deferred when there are more than 20 of them, or more
// than 8 KB of schemas and descriptions, and none otherwise.
func TestDeferred(t *testing.T) {
	for _, tc := range []struct {
		tools, bytes int
		deferred     bool
	}{{1, 10, false}, {20, 10, false}, {21, 10, true}, {2, 3000, false}, {3, 3000, true}} {
		srv := &Server{cfg: Config{Name: "x"}}
		for i := range tc.tools {
			made, err := srv.tool(&sdk.Tool{Name: fmt.Sprint("t", i), Description: strings.Repeat("d", tc.bytes)})
			if err != nil {
				t.Fatal(err)
			}
			srv.tools = append(srv.tools, made)
		}
		set := &Set{servers: []*Server{srv}}
		set.rebuild()
		if n := len(set.Registry().List()); n != tc.tools {
			t.Errorf("%+v: %d tools", tc, n)
		}
		for _, made := range set.Registry().List() {
			if made.Deferred != tc.deferred {
				t.Errorf("%+v: %s deferred: %v", tc, made.Name, made.Deferred)
			}
		}
	}
}
