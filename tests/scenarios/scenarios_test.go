// Package scenarios runs the stories in *.txtar against the real binary: an
// editor, a scripted model, a workspace. See README.md for the commands.
package scenarios

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scenarios see into their files")

// binary is the daemon under test, mcpServer an MCP server to go with it; both are
// built by TestMain.
var binary, mcpServer string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "agentd-scenarios-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary, mcpServer = filepath.Join(dir, "agentd"), filepath.Join(dir, "mcpserver")
	for out, pkg := range map[string]string{binary: "cmd/agentd", mcpServer: "tests/mcpserver"} {
		args := []string{"build", "-o", out}
		if raceEnabled && out == binary {
			args = append(args, "-race")
		}
		cmd := exec.Command("go", append(args, "github.com/agentd-dev/agentd/"+pkg)...)
		if text, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building %s: %v\n%s", pkg, err, text)
			return 1
		}
	}
	return m.Run()
}

func TestScenarios(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 ".",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds:                commands(),
		Condition:           condition,
		Setup:               setUp,
	})
}

// condition knows [mount]: the system lets us have file systems of our own.
func condition(name string) (bool, error) {
	if name != "mount" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return exec.Command("unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
}

// setUp gives a scenario its story and an environment of its own.
func setUp(env *testscript.Env) error {
	for _, dir := range []string{"home", "ws"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
			return err
		}
	}
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
	env.Setenv("MODEL_API_KEY", "fake-key-0123456789abcdef")
	env.Setenv("MODEL", "fake")
	env.Setenv("WS", filepath.Join(env.WorkDir, "ws"))
	env.Setenv("AGENTD", binary)
	env.Setenv("MCPSERVER", mcpServer)
	env.Setenv("GORACE", "halt_on_error=1 exitcode=66")
	st := &story{env: env}
	env.Values[storyKey{}] = st
	env.Defer(st.cleanUp)
	return nil
}
