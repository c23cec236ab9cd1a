// Package acpschema holds messages of agentd against the official JSON schema of
// the Agent Client Protocol, as the npm package @agentclientprotocol/sdk ships
// it. tests/interop pins its version.
package acpschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is the official schema, method by method. It is safe for concurrent use.
type Schema struct {
	compiler *jsonschema.Compiler
	defs     map[string]def
	names    map[string]bool // of all properties

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

type def struct {
	Method string `json:"x-method"`
	Side   string `json:"x-side"`
}

const address = "https://agentclientprotocol.com/schema.json"

var load = sync.OnceValues(func() (*Schema, error) { return read("../interop") })

// Load gives the schema. The package is installed if it is missing, which needs
// npm and, once, the network. Tests run in a folder below tests.
func Load() (*Schema, error) { return load() }

func read(dir string) (*Schema, error) {
	file := filepath.Join(dir, "node_modules", "@agentclientprotocol", "sdk", "schema", "v1", "schema.json")
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		cmd := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the schema of ACP is not there; npm ci in tests/interop: %w\n%s", err, out)
		}
		b, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	s := &Schema{compiler: jsonschema.NewCompiler(), names: map[string]bool{}, compiled: map[string]*jsonschema.Schema{}}
	var page struct {
		Defs map[string]def `json:"$defs"`
	}
	if err := json.Unmarshal(b, &page); err != nil {
		return nil, err
	}
	s.defs = page.Defs
	s.collect(doc)
	return s, s.compiler.AddResource(address, doc)
}

// collect gathers the names of all properties.
func (s *Schema) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		if p, ok := v["properties"].(map[string]any); ok {
			for name := range p {
				s.names[name] = true
			}
		}
		for _, x := range v {
			s.collect(x)
		}
	case []any:
		for _, x := range v {
			s.collect(x)
		}
	}
}

// Methods lists the methods of a side: "agent", "client" or "protocol".
func (s *Schema) Methods(side string) []string {
	var out []string
	for _, d := range s.defs {
		if d.Side == side && !slices.Contains(out, d.Method) {
			out = append(out, d.Method)
		}
	}
	slices.Sort(out)
	return out
}

// Frame checks a message that the agent has sent. For a response, answered is
// the method of the request that it answers, "" if that is not known.
func (s *Schema) Frame(raw json.RawMessage, answered string) error {
	var m struct {
		JSONRPC string           `json:"jsonrpc"`
		ID      *json.RawMessage `json:"id"`
		Method  string           `json:"method"`
		Params  json.RawMessage  `json:"params"`
		Result  json.RawMessage  `json:"result"`
		Error   json.RawMessage  `json:"error"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	if m.JSONRPC != "2.0" {
		return errors.New(`"jsonrpc" is not "2.0"`)
	}
	switch {
	case m.Method == "" && m.Error != nil:
		return s.check("Error", m.Error)
	case m.Method == "" && answered == "":
		return errors.New("a result for a request that nobody has made")
	case m.Method == "":
		return s.message("agent", answered, "Response", m.Result)
	case m.ID != nil:
		return s.message("client", m.Method, "Request", m.Params)
	case m.Method == "$/cancel_request":
		return s.message("protocol", m.Method, "Notification", m.Params)
	}
	return s.message("client", m.Method, "Notification", m.Params)
}

// Answer checks what a client answers to a request of the agent's.
func (s *Schema) Answer(method string, result json.RawMessage) error {
	name, err := s.definition("client", method, "Response")
	if err != nil {
		return err
	}
	_, err = s.validate(name, result)
	return err
}

func (s *Schema) message(side, method, kind string, value json.RawMessage) error {
	name, err := s.definition(side, method, kind)
	if err != nil {
		return err
	}
	return s.check(name, value)
}

func (s *Schema) definition(side, method, kind string) (string, error) {
	for name, d := range s.defs {
		if d.Side == side && d.Method == method && strings.HasSuffix(name, kind) {
			return name, nil
		}
	}
	return "", fmt.Errorf("ACP has no %s %s of the %s's", method, kind, side)
}

// check holds a value of agentd's against a definition. The schema allows further
// fields everywhere; agentd's own stand in _meta, so any other name is a slip.
func (s *Schema) check(name string, value json.RawMessage) error {
	v, err := s.validate(name, value)
	if err != nil {
		return err
	}
	return s.known(v, name)
}

func (s *Schema) validate(name string, value json.RawMessage) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.compiled[name]
	if c == nil {
		var err error
		if c, err = s.compiler.Compile(address + "#/$defs/" + name); err != nil {
			return nil, err
		}
		s.compiled[name] = c
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := c.Validate(v); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

// free are fields whose content is anybody's.
var free = []string{"_meta", "rawInput", "rawOutput", "data", "properties", "required"}

func (s *Schema) known(v any, at string) error {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if !s.names[name] {
				return fmt.Errorf("%s.%s: the schema has no such field", at, name)
			}
			if slices.Contains(free, name) {
				continue
			}
			if err := s.known(x, at+"."+name); err != nil {
				return err
			}
		}
	case []any:
		for i, x := range v {
			if err := s.known(x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	}
	return nil
}
