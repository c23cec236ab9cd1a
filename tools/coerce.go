package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// coercion puts right what models commonly get wrong, led by the schema and
// only where the value does not fit it: "10" and 10.0 for 10, "true" for true,
// a structure encoded as a string, one object for an array of one, null for
// nothing. What was changed is noted for the model. Strings are never changed.
type coercion struct {
	notes []string
	large []string // numbers that no Go type holds
}

func (c *coercion) note(at, format string, a ...any) {
	if at == "" {
		at = "arguments"
	}
	c.notes = append(c.notes, at+": "+fmt.Sprintf(format, a...))
}

func (c *coercion) value(v any, s *jsonschema.Schema, at string) any {
	switch s.Type {
	case "integer", "number":
		v = c.number(v, s.Type == "integer", at)
		if n, ok := v.(json.Number); ok {
			_, err := n.Float64()
			if s.Type == "integer" && err == nil {
				_, err = n.Int64()
			}
			if errors.Is(err, strconv.ErrRange) {
				c.large = append(c.large, at)
			}
		}
		return v
	case "boolean":
		if str, ok := v.(string); ok {
			switch strings.ToLower(strings.TrimSpace(str)) {
			case "true":
				c.note(at, "the string %q was read as true", str)
				return true
			case "false":
				c.note(at, "the string %q was read as false", str)
				return false
			}
		}
	case "string":
		if n, ok := v.(json.Number); ok {
			c.note(at, "the number %s was read as a string", n)
			return n.String()
		}
	case "array":
		return c.array(v, s, at)
	case "object":
		return c.object(v, s, at)
	}
	return v
}

func (c *coercion) number(v any, integer bool, at string) any {
	switch x := v.(type) {
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(x), 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || integer && f != math.Trunc(f) {
			return v
		}
		c.note(at, "the string %q was read as a number", x)
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	case json.Number:
		if f, err := x.Float64(); err == nil && integer && f == math.Trunc(f) && strings.ContainsAny(x.String(), ".eE") {
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
	}
	return v
}

func (c *coercion) array(v any, s *jsonschema.Schema, at string) any {
	if str, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(str), "[") {
		if parsed, err := validator.UnmarshalJSON(strings.NewReader(str)); err == nil {
			c.note(at, "the string was read as the array that it holds")
			v = parsed
		}
	}
	if s.Items == nil {
		return v
	}
	list, ok := v.([]any)
	if !ok {
		if fits(v, s.Items.Type) {
			c.note(at, "the single value was read as an array of one")
			list = []any{v}
		} else {
			return v
		}
	}
	for i := range list {
		list[i] = c.value(list[i], s.Items, join(at, strconv.Itoa(i)))
	}
	return list
}

// fits reports whether v has a type that stands for itself.
func fits(v any, schemaType string) bool {
	switch v.(type) {
	case map[string]any:
		return schemaType == "object"
	case string:
		return schemaType == "string"
	}
	return false
}

func (c *coercion) object(v any, s *jsonschema.Schema, at string) any {
	if str, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(str), "{") {
		if parsed, err := validator.UnmarshalJSON(strings.NewReader(str)); err == nil {
			c.note(at, "the string was read as the object that it holds")
			v = parsed
		}
	}
	m, ok := v.(map[string]any)
	if !ok || s.Properties == nil {
		return v
	}
	required := map[string]bool{}
	for _, k := range s.Required {
		required[k] = true
	}
	for k, x := range m {
		p, known := s.Properties.Get(k)
		switch {
		case !known:
		case x == nil && !required[k]:
			delete(m, k)
		default:
			m[k] = c.value(x, p, join(at, k))
		}
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if _, has := m[p.Key]; !has && p.Value.Default != nil {
			m[p.Key] = p.Value.Default
		}
	}
	return m
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
