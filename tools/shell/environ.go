package shell

import (
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/process"
)

// quiet makes programs do without a terminal (the first two) and without a
// person.
var quiet = []string{
	"TERM=dumb", "NO_COLOR=1",
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat", "BAT_PAGER=cat", "DELTA_PAGER=cat", "AWS_PAGER=", "GH_PAGER=cat",
	"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "SSH_ASKPASS_REQUIRE=never",
	"GCM_INTERACTIVE=never", "DEBIAN_FRONTEND=noninteractive", "PIP_NO_INPUT=1", "GH_PROMPT_DISABLED=1",
}

// safeGit keeps git from starting programs that a repository's configuration
// names, for commands that run unasked because they only read. Programs that
// cannot be switched off by a fixed name (diff drivers, filters) are looked for
// in the configuration before: see gitconfig.go.
var safeGit = [][2]string{
	{"core.fsmonitor", "false"},
	{"core.pager", "cat"},
	{"core.hooksPath", "/dev/null"},
	{"core.sshCommand", "false"},
	{"core.askPass", "true"},
	{"log.showSignature", "false"},
	{"gpg.program", "false"},
	{"submodule.recurse", "false"},
	{"safe.bareRepository", "explicit"},
}

// environ makes the environment of a command of a level from that of the
// session or of the user's login.
func environ(base []string, level tools.Level) []string {
	env := make([]string, 0, len(base)+len(quiet)+2*len(safeGit)+4)
	for _, kv := range base {
		name, _, _ := strings.Cut(kv, "=")
		// Start-up files and functions of another shell, and marks of a
		// session in which this daemon was itself started.
		switch {
		case name == "BASH_ENV", name == "ENV", name == "CDPATH", name == "PROMPT_COMMAND", name == process.MarkName,
			name == "SHELLOPTS", name == "BASHOPTS", name == "PS4", strings.HasPrefix(name, "BASH_FUNC_"):
			continue
		case level == safe && name == "GIT_EXTERNAL_DIFF":
			continue
		}
		env = append(env, kv)
	}
	env = append(env, quiet...)
	if level == safe {
		env = append(env, "GOTOOLCHAIN=local", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=", fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(safeGit)))
		for i, kv := range safeGit {
			env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, kv[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, kv[1]))
		}
	}
	return env
}

// variable gives the last value of a variable in an environment.
func variable(env []string, name string) string {
	value := ""
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			value = v
		}
	}
	return value
}
