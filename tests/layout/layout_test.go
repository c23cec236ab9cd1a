// Package layout tests the rules of the repository: what stands where, who
// imports whom, and what must not be written.
package layout

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/agentd-dev/agentd"

type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// layers, the highest first: a package imports only its own layer and those
// below. Tests may stand on everything.
var layers = []string{"cmd", "rpc", "agent", "tools", "editstate"}

func layer(importPath string) int {
	top, _, _ := strings.Cut(strings.TrimPrefix(importPath, module+"/"), "/")
	return slices.Index(layers, top)
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		from := layer(p.ImportPath)
		for _, i := range p.Imports {
			if !strings.HasPrefix(i, module+"/") || from < 0 {
				continue
			}
			if to := layer(i); to < from {
				t.Errorf("%s must not import %s", p.ImportPath, i)
			}
		}
	}
}

// only says which packages may import something, as path prefixes below the
// module. What tests import does not count, unless tests is set.
var only = []struct {
	imported string
	by       []string
	tests    bool
	why      string
}{
	{"github.com/openai/openai-go", []string{"agent/model/openai"}, true, "it takes minutes to compile"},
	{module + "/agent/model/openai", []string{"cmd/agentd"}, true, "it brings openai-go with it"},
	{"github.com/modelcontextprotocol/go-sdk", []string{"tools/mcp"}, false, "MCP is tools/mcp's"},
	{"github.com/sourcegraph/jsonrpc2", []string{"rpc", "cmd/agentd/demo"}, false, "the wire is rpc's"},
	{"github.com/fsnotify/fsnotify", []string{"editstate"}, false, "the file world is editstate's"},
	{"os", []string{"cmd/agentd", "editstate", "tools", "tools/process", "tools/shell", "agent/store", "tests"}, false, "only editstate opens files of the workspace"},
	{"os/exec", []string{"cmd/agentd", "tools/mcp", "tools/process", "tools/shell", "tests"}, false, "child processes are started by few"},
	{"testing", []string{"tests"}, false, "products hold no tests"},
}

func TestWhoMayImportWhat(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		for _, rule := range only {
			imports := p.Imports
			if rule.tests {
				imports = slices.Concat(imports, p.TestImports, p.XTestImports)
			}
			for _, i := range imports {
				if i != rule.imported && !strings.HasPrefix(i, rule.imported+"/") || i == module+"/"+name {
					continue
				}
				if rule.imported == "os" && i != "os" || rule.imported == "testing" && i != "testing" {
					continue
				}
				if !slices.ContainsFunc(rule.by, func(by string) bool { return name == by || by != "tools" && strings.HasPrefix(name, by+"/") }) {
					t.Errorf("%s must not import %s: %s", name, i, rule.why)
				}
			}
		}
	}
}

// files lists what git tracks, and what it does not ignore.
func files(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	return strings.Fields(string(out))
}

func TestTopLevel(t *testing.T) {
	allowed := []string{"go.mod", "go.sum", "cmd", "rpc", "agent", "tools", "editstate", "extension", "protocol.md", "tests", "README.md",
		"Makefile", "LICENSE", "CHANGELOG.md", "AGENTS.md", ".ci", ".gitignore"}
	for _, f := range files(t) {
		if top, _, _ := strings.Cut(f, "/"); !slices.Contains(allowed, top) {
			t.Errorf("%s does not belong at the top", top)
		}
	}
}

// banned are things that must not stand in Go files.
var banned = []struct {
	re  *regexp.Regexp
	why string
}{
	{regexp.MustCompile(`(?m)^func init\(\)`), "no init functions"},
	{regexp.MustCompile(`\bt\.Skip`), "no test is skipped"},
	{regexp.MustCompile(`(?m)^package (util|utils|common|helpers|types|misc)$`), "a package is named for what it does"},
	{regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`), "no leftovers"},
}

func TestGoFiles(t *testing.T) {
	for _, f := range files(t) {
		if path.Ext(f) != ".go" || strings.HasPrefix(f, "tests/layout/") {
			continue
		}
		b, err := os.ReadFile("../../" + f)
		if os.IsNotExist(err) {
			continue // removed but not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range banned {
			if m := rule.re.Find(b); m != nil {
				t.Errorf("%s has %q: %s", f, m, rule.why)
			}
		}
		// Tables of cases may be long.
		if n := strings.Count(string(b), "\n"); n > 400 && !strings.HasSuffix(f, "_test.go") {
			t.Errorf("%s has %d lines: more than one idea?", f, n)
		}
	}
}
