package shell

import (
	"slices"
	"strings"
)

// gitConfig judges git's reading by the configuration of the repository: it
// may name programs that run while git reads. Those with fixed names are
// switched off in the environment (safeGit); for the others git is asked about
// like any program.
func (c *classifier) gitConfig() finding {
	if c.env == nil {
		return fine
	}
	if c.lost {
		return ask("the repository that git uses is not known in advance")
	}
	for _, dir := range c.dirs {
		loc, err := c.env.Files.Resolve(dir)
		if err != nil {
			return ask("the repository that git uses is not known in advance")
		}
		text, ok := c.env.Files.GitConfig(loc)
		if !ok {
			continue
		}
		if key := runsPrograms(text); key != "" {
			return ask("the repository's own configuration (" + key + ") may run programs")
		}
		// For a submodule git starts itself anew, without the settings of the
		// environment.
		text, complete := c.env.Files.SubmoduleConfig(loc)
		if key := runsPrograms(text, "worktree"); key != "" || strings.Contains(strings.ToLower(text), "fsmonitor") {
			return ask("the configuration of a submodule may run programs")
		}
		if !complete {
			return ask("the repository has more submodules than can be looked at before")
		}
	}
	return fine
}

// inRepo reports whether a repository holds every folder in which the command
// may run.
func (c *classifier) inRepo() bool {
	if c.env == nil {
		return true
	}
	for _, dir := range c.dirs {
		loc, err := c.env.Files.Resolve(dir)
		if err != nil {
			return false
		}
		if _, ok := c.env.Files.GitConfig(loc); !ok {
			return false
		}
	}
	return true
}

// programKeys are settings, without their section, that name programs or other
// places.
var programKeys = map[string]bool{"textconv": true, "command": true, "external": true, "clean": true, "smudge": true, "process": true,
	"worktree": true, "driver": true, "difffilter": true, "program": true}

// runsPrograms finds a setting that names a program in the text of a git
// configuration, but for some; "" if there is none.
func runsPrograms(config string, except ...string) string {
	bad := func(key string) bool { return programKeys[key] && !slices.Contains(except, key) }
	for line := range strings.Lines(strings.ToLower(config)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			if strings.HasPrefix(strings.TrimLeft(line[1:], " \t"), "include") {
				return "include"
			}
			// A key may follow its section on the same line.
			if i := strings.LastIndexByte(line, ']'); i >= 0 {
				for part := range strings.SplitSeq(line, "]") {
					if k := keyOf(part); bad(k) {
						return k
					}
				}
			}
			continue
		}
		if k := keyOf(line); bad(k) {
			return k
		}
	}
	return ""
}

func keyOf(line string) string {
	key, _, _ := strings.Cut(line, "=")
	return strings.TrimSpace(key)
}
