package rpc

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/mcp"
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

// longNames are for types whose Go name would hide a global one in TypeScript.
var longNames = map[string]string{
	"Error": "ToolError", "Event": "SessionEvent", "Buffer": "UnsavedBuffer", "Location": "FileLocation", "Option": "QuestionOption", "Tool": "FunctionDefinition",
}

// Schema makes the schema of every message from the Go types.
func Schema() *ProtocolSchema {
	out := &ProtocolSchema{Schema: jsonschema.Version, Title: "agentd native protocol", ProtocolVersion: ProtocolVersion, Defs: map[string]*jsonschema.Schema{}}
	names := map[string]reflect.Type{}
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, Mapper: mapType, Namer: func(t reflect.Type) string {
		if t.Name() == "" { // a pointer, an array: they get no definition
			return ""
		}
		if other, taken := names[t.Name()]; taken && other != t {
			panic(fmt.Sprintf("%v and %v would have one name in the schema", t, other))
		}
		names[t.Name()] = t
		if name := longNames[t.Name()]; name != "" {
			return name
		}
		return t.Name()
	}}
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
	out.Defs["SessionEvent"] = &jsonschema.Schema{OneOf: events}
	for _, m := range Methods() {
		out.Methods = append(out.Methods, MethodSchema{m.Name, m.Direction, m.Notification, add(m.Params), add(m.Result)})
	}
	return out
}

// enum lists the values of a string type.
func enum[T ~string](values ...T) (reflect.Type, []any) {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return reflect.TypeFor[T](), out
}

// enums are the string types of the protocol with few values.
func enums() map[reflect.Type][]any {
	out := map[reflect.Type][]any{}
	add := func(t reflect.Type, values []any) { out[t] = values }
	add(enum(tools.Safe, tools.Sensitive, tools.Dangerous))
	add(enum(tools.KindRead, tools.KindEdit, tools.KindDelete, tools.KindMove, tools.KindSearch, tools.KindExecute, tools.KindThink, tools.KindFetch, tools.KindOther))
	add(enum(mcp.Starting, mcp.Ready, mcp.Down))
	add(enum(mcp.FromClient, mcp.FromUser, mcp.FromWorkspace))
	add(enum(tools.Allow, tools.AllowSession, tools.Reject, tools.Abort))
	add(enum(tools.Answered, tools.Declined, tools.Dismissed))
	add(enum(agent.Running, agent.Waiting, agent.Idle))
	add(enum(agent.ToolPending, agent.ToolInProgress, agent.ToolCompleted, agent.ToolFailed))
	add(enum(agent.StopEndTurn, agent.StopMaxTokens, agent.StopMaxRequests, agent.StopRefusal, agent.StopCancelled, agent.StopLoop, agent.StopError))
	add(enum(agent.ModeAsk, agent.ModePlan, agent.ModeAcceptEdits, agent.ModeAuto))
	add(enum(editstate.Create, editstate.Modify))
	add(enum(editstate.Disk, editstate.InBuffer))
	return out
}

// mapType describes the types that reflection cannot.
func mapType(t reflect.Type) *jsonschema.Schema {
	if values := enums()[t]; values != nil {
		return &jsonschema.Schema{Type: "string", Enum: values}
	}
	switch t {
	case reflect.TypeFor[agent.Event]():
		return &jsonschema.Schema{Ref: "#/$defs/SessionEvent"}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{Description: "any JSON value"}
	}
	return nil
}
