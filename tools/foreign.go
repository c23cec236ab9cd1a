package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// maxForeignSchema bounds a schema that agentd has not made, in bytes.
	maxForeignSchema = 64 << 10
	// maxForeignDepth bounds how deeply it is looked into, maxForeignParts how many
	// schemas it is made of once all references are followed.
	maxForeignDepth = 12
	maxForeignParts = 5000
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
	if err := compiles(raw); err != nil {
		return nil, fmt.Errorf("its schema is no valid JSON Schema: %w", err)
	}
	plain := (&plainSchema{root: doc}).of(doc, 0)
	s := newSchema(sync.OnceValue(func() *jsonschema.Schema { return foreignTree(plain) }), func() any { return plain })
	s.raw = func() json.RawMessage { return raw }
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

// compiles reports whether a schema is a valid one. The validator panics at some
// numbers.
func compiles(raw json.RawMessage) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it cannot be compiled: %v", p)
		}
	}()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		_, err = compile(doc)
	}
	return err
}

// plainSchema takes from a schema what arguments are checked against here. A whole
// one may say little and take forever to check: one that refers twice to one that
// refers twice, and so on. What is left out its maker checks.
type plainSchema struct {
	root  map[string]any
	parts int
}

// plainWords say something of a value by itself.
var plainWords = []string{"type", "enum", "const", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}

func (p *plainSchema) of(v any, depth int) map[string]any {
	out := map[string]any{}
	doc, _ := v.(map[string]any)
	if p.parts++; p.parts > maxForeignParts || depth > maxForeignDepth {
		return out
	}
	if ref, ok := doc["$ref"].(string); ok {
		return p.of(p.at(ref), depth+1)
	}
	for _, w := range plainWords {
		if x, ok := doc[w]; ok {
			out[w] = x
		}
	}
	if items, ok := doc["items"]; ok {
		out["items"] = p.of(items, depth+1)
	}
	if properties, ok := doc["properties"].(map[string]any); ok {
		all := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			all[name] = p.of(properties[name], depth+1)
		}
		out["properties"] = all
		if doc["additionalProperties"] == false && doc["patternProperties"] == nil {
			out["additionalProperties"] = false
		}
	}
	return out
}

// at finds what a reference within the schema means; nil for any other.
func (p *plainSchema) at(ref string) any {
	var v any = p.root
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil
	}
	for _, step := range strings.Split(path, "/")[1:] {
		doc, _ := v.(map[string]any)
		v = doc[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return v
}

// foreignTree takes from a plain schema what coercion goes by. Defaults are left to
// the one who has made it.
func foreignTree(doc map[string]any) *jsonschema.Schema {
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
	if items, ok := doc["items"].(map[string]any); ok {
		s.Items = foreignTree(items)
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
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			p, _ := properties[name].(map[string]any)
			s.Properties.Set(name, foreignTree(p))
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
