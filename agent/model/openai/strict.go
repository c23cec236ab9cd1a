package openai

import (
	"bytes"
	"encoding/json"
	"slices"
)

// strictSchema makes the form of a schema that servers hold a model to: every
// property is required, one that was optional may be null, and nothing else is
// allowed; keywords that they do not know are left out. ok is false if the
// schema cannot be put like this, e.g. since it has free-form objects.
func strictSchema(schema json.RawMessage) (strict json.RawMessage, ok bool) {
	fields, ok := readObject(schema)
	if !ok {
		return nil, false
	}
	kind := string(fields.get("type"))
	if kind == `"object"` {
		if fields, ok = strictObject(fields); !ok {
			return nil, false
		}
	}
	out := fields[:0]
	for _, f := range fields {
		switch f.key {
		case "items":
			if f.value, ok = strictSchema(f.value); !ok {
				return nil, false
			}
		case "anyOf":
			if f.value, ok = strictAll(f.value); !ok {
				return nil, false
			}
		case "allOf", "oneOf", "not", "if", "then", "else", "$ref", "$defs", "patternProperties", "prefixItems":
			return nil, false
		case "default", "minLength", "maxLength", "uniqueItems", "format", "examples", "minProperties", "maxProperties", "$schema", "$id":
			continue
		}
		out = append(out, f)
	}
	return out.json(), true
}

// strictObject does the part of strictSchema that is about properties.
func strictObject(fields object) (object, bool) {
	properties, ok := readObject(fields.get("properties"))
	if extra := string(fields.get("additionalProperties")); !ok || extra != "" && extra != "false" {
		return nil, false
	}
	var required []string
	if r := fields.get("required"); r != nil && json.Unmarshal(r, &required) != nil {
		return nil, false
	}
	names := []string{}
	for i, p := range properties {
		names = append(names, p.key)
		s, ok := strictSchema(p.value)
		if !ok {
			return nil, false
		}
		if !slices.Contains(required, p.key) {
			if s, ok = nullable(s); !ok {
				return nil, false
			}
		}
		properties[i].value = s
	}
	all, err := json.Marshal(names)
	if err != nil {
		return nil, false
	}
	return fields.with("properties", properties.json()).with("required", all).with("additionalProperties", json.RawMessage("false")), true
}

// nullable lets a value be null.
func nullable(schema json.RawMessage) (json.RawMessage, bool) {
	fields, ok := readObject(schema)
	kind := fields.get("type")
	switch {
	case !ok || len(kind) == 0 || kind[0] != '"' && !bytes.Contains(kind, []byte(`"null"`)):
		return nil, false
	case kind[0] != '"':
		return schema, true
	}
	fields = fields.with("type", json.RawMessage("["+string(kind)+`,"null"]`))
	if values := bytes.TrimSpace(fields.get("enum")); len(values) > 2 {
		fields = fields.with("enum", append(slices.Clone(values[:len(values)-1]), ",null]"...))
	}
	return fields.json(), true
}

func strictAll(list json.RawMessage) (json.RawMessage, bool) {
	var all []json.RawMessage
	if json.Unmarshal(list, &all) != nil {
		return nil, false
	}
	for i := range all {
		var ok bool
		if all[i], ok = strictSchema(all[i]); !ok {
			return nil, false
		}
	}
	b, err := json.Marshal(all)
	return b, err == nil
}

// object is a JSON object that keeps the order of its fields.
type object []field

type field struct {
	key   string
	value json.RawMessage
}

func readObject(raw json.RawMessage) (object, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	out := object{}
	for d.More() {
		t, err := d.Token()
		key, isString := t.(string)
		var value json.RawMessage
		if err != nil || !isString || d.Decode(&value) != nil {
			return nil, false
		}
		out = append(out, field{key, value})
	}
	return out, true
}

func (o object) get(key string) json.RawMessage {
	for _, f := range o {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// with sets a field, in its place or at the end.
func (o object) with(key string, value json.RawMessage) object {
	for i, f := range o {
		if f.key == key {
			o[i].value = value
			return o
		}
	}
	return append(o, field{key, value})
}

func (o object) json() json.RawMessage {
	b := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		key, _ := json.Marshal(f.key) // a string can always be encoded
		b = append(append(append(b, key...), ':'), f.value...)
	}
	return append(b, '}')
}
