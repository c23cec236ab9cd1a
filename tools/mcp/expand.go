package mcp

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// reference is ${NAME} or ${NAME:-otherwise}. It names a variable; nothing in it
// is run or expanded again.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expand puts the values of the user's variables in the place of their names. The
// model's key is not among them.
func (c Config) expand(environ []string) (Config, error) {
	var missing []string
	text := func(s string) string {
		return reference.ReplaceAllStringFunc(s, func(ref string) string {
			m := reference.FindStringSubmatch(ref)
			if v, ok := lookup(environ, m[1]); ok {
				return v
			}
			if m[2] == "" && !slices.Contains(missing, m[1]) {
				missing = append(missing, m[1])
			}
			return m[3]
		})
	}
	values := func(m map[string]string) map[string]string {
		out := map[string]string{}
		for k, v := range m {
			out[k] = text(v)
		}
		return out
	}
	c.Command, c.Cwd, c.URL = text(c.Command), text(c.Cwd), text(c.URL)
	c.Args = slices.Clone(c.Args)
	for i := range c.Args {
		c.Args[i] = text(c.Args[i])
	}
	c.Env, c.Headers = values(c.Env), values(c.Headers)
	if len(missing) > 0 {
		return c, &startError{fmt.Sprintf("the environment has no %s, which its configuration names", strings.Join(missing, ", "))}
	}
	if c.Type != typeStdio {
		return c, checkURL(c.URL)
	}
	return c, nil
}

func lookup(environ []string, name string) (value string, ok bool) {
	for _, kv := range environ {
		if n, v, found := strings.Cut(kv, "="); found && sameName(n, name) {
			value, ok = v, true
		}
	}
	return value, ok
}

func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// handed are the variables that a server gets besides those of its configuration.
var handed = []string{"PATH", "HOME"}

// handedWindows are those without which few programs run on Windows.
var handedWindows = []string{"PATH", "HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP"}

// serverEnviron is the whole environment of a server.
func (c *Config) serverEnviron(environ []string) []string {
	names := handed
	if runtime.GOOS == "windows" {
		names = handedWindows
	}
	var out []string
	for _, n := range names {
		if v, ok := lookup(environ, n); ok {
			out = append(out, n+"="+v)
		}
	}
	for k, v := range c.Env {
		out = append(out, k+"="+v)
	}
	slices.Sort(out[len(out)-len(c.Env):])
	return out
}
