package rpc

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/invopop/jsonschema"
)

// ProtocolSchema describes the whole protocol for programs.
type ProtocolSchema struct {
	Schema          string                        `json:"$schema"`
	Title           string                        `json:"title"`
	ProtocolVersion int                           `json:"protocolVersion"`
	Methods         []MethodSchema                `json:"methods"`
	Defs            map[string]*jsonschema.Schema `json:"$defs"`
}

// MethodSchema names the types of a method's messages.
type MethodSchema struct {
	Name         string     `json:"name"`
	Direction    Direction  `json:"direction"`
	Notification bool       `json:"notification,omitempty"`
	Params       *schemaRef `json:"params"`
	Result       *schemaRef `json:"result,omitempty"`
}

type schemaRef struct {
	Ref string `json:"$ref"`
}

// Schema makes the schema of every message from the Go types.
func Schema() *ProtocolSchema {
	out := &ProtocolSchema{Schema: jsonschema.Version, Title: "agentd native protocol", ProtocolVersion: ProtocolVersion, Defs: map[string]*jsonschema.Schema{}}
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, Mapper: mapType}
	add := func(v any) *schemaRef {
		if v == nil {
			return nil
		}
		s := r.ReflectFromType(reflect.TypeOf(v))
		for name, def := range s.Definitions {
			out.Defs[name] = def
		}
		return &schemaRef{s.Ref}
	}
	var events []*jsonschema.Schema
	for _, e := range agent.Events() {
		ref := add(e)
		name := strings.TrimPrefix(ref.Ref, "#/$defs/")
		def := out.Defs[name]
		kind := &jsonschema.Schema{Type: "string", Const: e.EventType()}
		def.Properties.Set("type", kind)
		if err := def.Properties.MoveToFront("type"); err != nil {
			panic(err)
		}
		def.Required = append([]string{"type"}, def.Required...)
		events = append(events, &jsonschema.Schema{Ref: ref.Ref})
	}
	out.Defs["Event"] = &jsonschema.Schema{OneOf: events}
	for _, m := range Methods() {
		out.Methods = append(out.Methods, MethodSchema{m.Name, m.Direction, m.Notification, add(m.Params), add(m.Result)})
	}
	return out
}

// mapType describes the types that reflection cannot.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[agent.Event]():
		return &jsonschema.Schema{Ref: "#/$defs/Event"}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{Description: "any JSON value"}
	}
	return nil
}
