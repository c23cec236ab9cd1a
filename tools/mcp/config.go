// Package mcp is agentd's side of the Model Context Protocol: it starts servers,
// keeps them running, and gives their tools, prompts and resources to sessions.
// See https://modelcontextprotocol.io/specification.
package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

// Config describes a server. The fields are those of the "mcpServers" object that
// editors and agents share; those after Headers are agentd's own.
type Config struct {
	Name string `json:"-"`
	// Type is "stdio", "http" or "sse"; "" is told by Command and URL.
	Type string `json:"type,omitempty"`

	// Command is a program, started in Cwd (the workspace if left out) with the
	// variables of Env and with PATH and HOME, and no other.
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Cwd     string            `json:"cwd,omitempty"`

	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`

	// Trusted lets the server's word count that a tool only reads.
	Trusted  bool `json:"trusted,omitempty"`
	Disabled bool `json:"disabled,omitempty"`
	// StartupSeconds bounds the start (30), TimeoutSeconds a call that shows no
	// progress (120).
	StartupSeconds int `json:"startupSeconds,omitempty"`
	TimeoutSeconds int `json:"timeoutSeconds,omitempty"`

	Source ServerSource `json:"-"`
}

// ServerSource says who has named a server. Of two with one name the first counts.
type ServerSource string

// The sources, in the order of precedence.
const (
	FromClient    ServerSource = "client"    // session/new
	FromUser      ServerSource = "user"      // the user's config file
	FromWorkspace ServerSource = "workspace" // .mcp.json
)

const (
	// mostServers bounds the servers that one file names, mostServerName the name of
	// one, in bytes.
	mostServers    = 64
	mostServerName = 200
)

// The types of servers.
const (
	typeStdio = "stdio"
	typeHTTP  = "http"
	typeSSE   = "sse"
)

// Parse reads an "mcpServers" object. What a workspace says of trust does not
// count.
func Parse(servers map[string]json.RawMessage, source ServerSource) ([]Config, error) {
	if len(servers) > mostServers {
		return nil, fmt.Errorf("it names %d servers; at most %d are started", len(servers), mostServers)
	}
	var out []Config
	for name, raw := range servers {
		c := Config{}
		d := json.NewDecoder(strings.NewReader(string(raw)))
		if source == FromUser { // in files of others, other programs may have keys of their own
			d.DisallowUnknownFields()
		}
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("the server %q: %w", name, err)
		}
		c.Name, c.Source = name, source
		if source == FromWorkspace {
			c.Trusted = false
		}
		if err := c.Check(); err != nil {
			return nil, fmt.Errorf("the server %q: %w", name, err)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Config) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// ParseFile reads a .mcp.json of a workspace.
func ParseFile(text string) ([]Config, error) {
	var f struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return nil, err
	}
	return Parse(f.Servers, FromWorkspace)
}

// Check reports what is wrong with a description, and settles its type.
func (c *Config) Check() error {
	switch t := c.Type; {
	case t == "" && c.URL == "", t == typeStdio:
		c.Type = typeStdio
	case t == "" || t == typeHTTP || t == "streamable-http" || t == "streamableHttp":
		c.Type = typeHTTP
	case t == typeSSE:
	default:
		return fmt.Errorf("unknown type %q: there are stdio, http and sse", t)
	}
	switch {
	case strings.TrimSpace(c.Name) == "":
		return errors.New("it needs a name")
	case tools.OneLine(c.Name) != c.Name || len(c.Name) > mostServerName:
		return fmt.Errorf("its name has characters that cannot be shown, or more than %d bytes", mostServerName)
	case c.Type == typeStdio && c.Command == "":
		return errors.New("it needs a command or a url")
	case c.Type == typeStdio && c.URL != "":
		return errors.New("it has a command and a url; one of them is needed")
	case c.StartupSeconds < 0 || c.TimeoutSeconds < 0:
		return errors.New("seconds are not negative")
	}
	if c.Type == typeStdio || strings.Contains(c.URL, "${") {
		return nil
	}
	return checkURL(c.URL)
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil {
		return fmt.Errorf("its url cannot be read: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("its url %q is not one of http or https", s)
	}
	return nil
}

// What says in one line what the server is, for a person: variables stay names.
func (c *Config) What() string {
	if c.Type != typeStdio {
		return tools.OneLine(c.URL)
	}
	return tools.OneLine(strings.Join(append([]string{c.Command}, c.Args...), " "))
}

func (c *Config) startup() time.Duration { return seconds(c.StartupSeconds, 30) }

func (c *Config) timeout() time.Duration { return seconds(c.TimeoutSeconds, 120) }

func seconds(n, otherwise int) time.Duration {
	return time.Duration(cmp.Or(n, otherwise)) * time.Second
}

// Merge joins lists of servers: of two with one name the first counts, and the
// others are named in dropped. Servers that are disabled are left out.
func Merge(lists ...[]Config) (all []Config, dropped []Config) {
	taken := map[string]bool{}
	for _, list := range lists {
		for _, c := range list {
			if taken[c.Name] {
				dropped = append(dropped, c)
				continue
			}
			taken[c.Name] = true
			if !c.Disabled {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Config) int { return cmp.Compare(a.Name, b.Name) })
	return all, dropped
}
