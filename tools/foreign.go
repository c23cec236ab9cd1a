package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// maxForeignSchema bounds a schema that agentd has not made, in bytes.
	maxForeignSchema = 64 << 10
	// maxForeignDepth bounds how deeply it is looked into for coercion.
	maxForeignDepth = 12
)

// NewForeign completes t with a schema that comes from elsewhere, such as from an
// MCP server. Schemas that model APIs refuse are repaired where that changes
// nothing for the tool: one that is missing, names no type, or has no properties.
// The error says why a schema cannot be used. The handler gets the arguments as
// they were validated.
func NewForeign(t Tool, schema json.RawMessage, h Handler[json.RawMessage]) (*Tool, error) {
	raw, doc, err := repairSchema(schema)
	if err != nil {
		return nil, err
	}
	s := newSchema(sync.OnceValue(func() *jsonschema.Schema { return foreignTree(doc, 0) }), raw)
	if _, err := s.check(); err != nil {
		return nil, fmt.Errorf("its schema is no valid JSON Schema: %w", err)
	}
	t.schema = s
	t.run = handlerOf(h, func(args json.RawMessage) (any, error) {
		args = slices.Clone(args)
		return &args, nil
	})
	return &t, nil
}

// repairSchema gives a schema as model APIs take it, and decoded.
func repairSchema(schema json.RawMessage) (json.RawMessage, map[string]any, error) {
	if len(schema) > maxForeignSchema {
		return nil, nil, fmt.Errorf("its schema has %d bytes; at most %d are taken", len(schema), maxForeignSchema)
	}
	doc := map[string]any{}
	if text := bytes.TrimSpace(schema); len(text) > 0 && !bytes.Equal(text, []byte("null")) {
		v, err := validator.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, nil, fmt.Errorf("its schema cannot be read: %w", err)
		}
		m, ok := v.(map[string]any)
		if !ok {
			return nil, nil, errors.New("its schema is not an object")
		}
		doc = m
	}
	if have, ok := doc["type"]; ok && have != "object" {
		return nil, nil, fmt.Errorf("its arguments are of the type %v, not an object", have)
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf", "not", "enum"} {
		if _, ok := doc[word]; ok && doc["properties"] == nil {
			return nil, nil, fmt.Errorf("its arguments are described by %s, which model APIs do not take", word)
		}
		delete(doc, word) // the server checks it
	}
	delete(doc, "$schema")
	delete(doc, "$id")
	doc["type"] = "object"
	if _, ok := doc["properties"].(map[string]any); !ok {
		doc["properties"] = map[string]any{}
	}
	raw, err := json.Marshal(doc)
	return raw, doc, err
}

// foreignTree takes from a schema what coercion goes by. Defaults are left to the
// one who has made it.
func foreignTree(doc map[string]any, depth int) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	switch t := doc["type"].(type) {
	case string:
		s.Type = t
	case []any: // a type or null
		for _, x := range t {
			if name, ok := x.(string); ok && name != "null" {
				if s.Type != "" {
					return &jsonschema.Schema{} // one of several: nothing is known
				}
				s.Type = name
			}
		}
	}
	if depth > maxForeignDepth {
		return s
	}
	if items, ok := doc["items"].(map[string]any); ok {
		s.Items = foreignTree(items, depth+1)
	}
	if required, ok := doc["required"].([]any); ok {
		for _, r := range required {
			if name, ok := r.(string); ok {
				s.Required = append(s.Required, name)
			}
		}
	}
	if properties, ok := doc["properties"].(map[string]any); ok {
		s.Properties = jsonschema.NewProperties()
		names := make([]string, 0, len(properties))
		for name := range properties {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			p, _ := properties[name].(map[string]any)
			s.Properties.Set(name, foreignTree(p, depth+1))
		}
	}
	return s
}

// noLoader refuses schemas that a schema refers to elsewhere: nothing is fetched
// and no file is read for it.
type noLoader struct{}

// Load implements validator.URLLoader.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s, and nothing is loaded from elsewhere", url)
}
