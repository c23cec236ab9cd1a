package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/agent/model/openai"
	"github.com/agentd-dev/agentd/tools/mcp"
)

// config is the user's config file. It is never read from a workspace.
type config struct {
	BaseURL string `json:"baseUrl"`
	// APIKey is the key itself. The environment is the better place.
	APIKey string `json:"apiKey"`
	Model  string `json:"model"`
	// Models are further models for the picker, some with settings.
	Models []modelEntry `json:"models"`
	// Provider are settings of the server.
	Provider openai.Settings `json:"provider"`
	// Prices are what models cost, by name.
	Prices map[string]agent.Price `json:"prices"`
	// Context is how many tokens models have room for, by name; "*" is for all
	// others.
	Context map[string]int `json:"context"`
	// MaxRequests bounds the model requests of one prompt.
	MaxRequests int `json:"maxRequests"`
	// Breaker says when a tool that keeps failing is switched off, and for how
	// long; 0 means the default (3 faults, 300 s).
	Breaker struct {
		Faults  int `json:"faults"`
		Seconds int `json:"seconds"`
	} `json:"breaker"`
	// Rules are what runs without a question and what never runs.
	agent.Rules
	// keys are all keys that were found, also those that do not count.
	keys []string
	// Enable switches on tools that are off by default, in every session.
	Enable []string `json:"enable"`
	// MCPServers are the user's MCP servers, by name.
	MCPServers map[string]json.RawMessage `json:"mcpServers"`
	servers    []mcp.Config
}

// keyNames are the environment variables that hold the key, the first set one
// counts.
var keyNames = []string{"MODEL_API_KEY", "OPENAI_API_KEY"}

// loadConfig joins flags, environment and config file, in this order of
// precedence.
func loadConfig(o options, env func(string) string) (config, error) {
	c, err := readConfigFile(o.config, env)
	if err != nil {
		return c, err
	}
	c.BaseURL = cmp.Or(o.baseURL, env("BASE_URL"), env("OPENAI_BASE_URL"), c.BaseURL)
	c.Model = cmp.Or(o.model, env("MODEL"), c.Model)
	c.keys = []string{env(keyNames[0]), env(keyNames[1]), c.APIKey}
	c.APIKey = strings.TrimSpace(cmp.Or(env(keyNames[0]), env(keyNames[1]), c.APIKey))
	return c, nil
}

// readConfigFile reads the file that was named, which must exist, or the
// user's, which need not.
func readConfigFile(named string, env func(string) string) (config, error) {
	var c config
	path := named
	if path == "" {
		path = configPath(env)
	}
	b, err := os.ReadFile(path)
	if named == "" && (errors.Is(err, fs.ErrNotExist) || path == "") {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("reading the config file: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("the config file %s cannot be read: %w", path, err)
	}
	if err := c.checkSettings(); err != nil {
		return c, fmt.Errorf("the config file %s: %w", path, err)
	}
	if c.servers, err = mcp.Parse(c.MCPServers, mcp.FromUser); err != nil {
		return c, fmt.Errorf("the config file %s: mcpServers: %w", path, err)
	}
	return c, nil
}

// configPath is the user's config file: "$XDG_CONFIG_HOME/agentd/config.json"
// or what the system has in its place.
func configPath(env func(string) string) string {
	if d := env("XDG_CONFIG_HOME"); d != "" {
		return filepath.Join(d, "agentd", "config.json")
	}
	d, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(d, "agentd", "config.json")
}

// ownFiles are the files from which agentd takes its orders: the folder of the
// user's config file and the file that was named in its place.
func ownFiles(o options, env func(string) string) []string {
	var own []string
	if p := configPath(env); p != "" {
		own = append(own, filepath.Dir(p))
	}
	if o.config != "" {
		if p, err := filepath.Abs(o.config); err == nil {
			own = append(own, p)
		}
	}
	return own
}

// statePath is the folder for sessions and the audit.
func statePath(o options, env func(string) string) (string, error) {
	switch home, err := os.UserHomeDir(); {
	case o.stateDir != "":
		return filepath.Abs(o.stateDir)
	case env("XDG_STATE_HOME") != "":
		return filepath.Join(env("XDG_STATE_HOME"), "agentd"), nil
	case err != nil:
		return filepath.Join(os.TempDir(), fmt.Sprintf("agentd-%d", os.Getuid())), nil
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "agentd"), nil
	case runtime.GOOS == "windows":
		return filepath.Join(cmp.Or(env("LOCALAPPDATA"), home), "agentd"), nil
	default:
		return filepath.Join(home, ".local", "state", "agentd"), nil
	}
}

// childEnviron is the environment without the key: not under its own name and
// not under any other.
func childEnviron(environ, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		return slices.Contains(keyNames, name) || slices.ContainsFunc(keys, func(k string) bool {
			k = strings.TrimSpace(k)
			return k != "" && strings.Contains(value, k)
		})
	})
}
