// Package readme runs what README.md tells its readers to run.
package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func page(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestClient saves the Python client as a reader would, and lets it drive a
// replayed model.
func TestClient(t *testing.T) {
	m := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(page(t))
	if m == nil {
		t.Fatal("README.md has no Python client")
	}
	if n := strings.Count(m[1], "\n"); n > 25 {
		t.Errorf("the client has %d lines", n)
	}
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		filepath.Join(dir, "client.py"):     m[1],
		filepath.Join(project, "README.md"): "A typpo.\n",
		filepath.Join(dir, "replay.jsonl"): `{"agentd":"replay","version":1}
{"request":{}}
{"call":{"name":"read_file","arguments":{"path":"README.md"}}}
{"request":{}}
{"call":{"name":"edit_file","arguments":{"path":"README.md","old_string":"typpo","new_string":"typo"}}}
{"request":{}}
{"text":"Mended.\n"}
`,
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "agentd"), "github.com/agentd-dev/agentd/cmd/agentd")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	client := exec.Command("python3", filepath.Join(dir, "client.py"), project, "Mend the typo in README.md")
	client.Stdin = strings.NewReader("y\n")
	client.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"MODEL=replay:"+filepath.Join(dir, "replay.jsonl"), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	out, err := client.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Edit README.md", "-A typpo.", "+A typo.", "Mended."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the client does not show %q:\n%s", want, out)
		}
	}
	if b, err := os.ReadFile(filepath.Join(project, "README.md")); err != nil || string(b) != "A typo.\n" {
		t.Errorf("the file is %q (%v)", b, err)
	}
}

// TestCommands checks that every make target that the pages name is there, and
// that every file they link to is.
func TestCommands(t *testing.T) {
	mk, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	agents, err := os.ReadFile("../../AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	text := page(t) + string(agents)
	for _, m := range regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)").FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(mk) {
			t.Errorf("there is no make target %q", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat("../../" + m[1]); err != nil {
			t.Error(err)
		}
	}
}
