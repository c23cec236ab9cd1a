package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// toolCache keeps the wire form of the last few tool lists: the same list is
// sent with every request of a session.
type toolCache struct {
	mu    sync.Mutex // guards lists
	lists []toolList // the last used first
}

type toolList struct {
	tools  []model.Tool
	strict bool
	wire   []byte
}

const maxToolLists = 8

// get gives the JSON array of tools; strict ones where that can be.
func (c *toolCache) get(tools []model.Tool, strict bool) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, l := range c.lists {
		if l.strict == strict && slices.EqualFunc(l.tools, tools, sameTool) {
			copy(c.lists[1:i+1], c.lists[:i])
			c.lists[0] = l
			return l.wire, nil
		}
	}
	wire := []byte{'['}
	for i, t := range tools {
		b, err := encodeTool(t, strict)
		if err != nil {
			return nil, fmt.Errorf("encoding the tool %s: %w", t.Name, err)
		}
		if i > 0 {
			wire = append(wire, ',')
		}
		wire = append(wire, b...)
	}
	wire = append(wire, ']')
	c.lists = slices.Insert(c.lists, 0, toolList{slices.Clone(tools), strict, wire})
	c.lists = c.lists[:min(len(c.lists), maxToolLists)]
	return wire, nil
}

func sameTool(a, b model.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Parameters, b.Parameters)
}

func encodeTool(t model.Tool, strict bool) ([]byte, error) {
	f := shared.FunctionDefinitionParam{Name: t.Name}
	if t.Description != "" {
		f.Description = param.NewOpt(t.Description)
	}
	schema, err := objectSchema(t.Parameters)
	if err != nil {
		return nil, err
	}
	if strict {
		if s, ok := strictSchema(schema); ok {
			schema, f.Strict = s, param.NewOpt(true)
		}
	}
	// The library's own field is a map: it would lose the order of the
	// properties, in which models fill them in.
	f.SetExtraFields(map[string]any{"parameters": schema})
	return encode(openai.ChatCompletionFunctionTool(f))
}

// objectSchema gives a schema that servers accept: of type object, with
// properties.
func objectSchema(schema json.RawMessage) (json.RawMessage, error) {
	if s := bytes.TrimSpace(schema); len(s) == 0 || string(s) == "null" || string(s) == "true" {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(schema, &fields); err != nil {
		return nil, fmt.Errorf("reading its schema: %w", err)
	}
	if string(fields["type"]) == `"object"` && len(fields["properties"]) > 0 && string(fields["properties"]) != "null" {
		return schema, nil
	}
	fields["type"] = json.RawMessage(`"object"`)
	if p := fields["properties"]; len(p) == 0 || string(p) == "null" {
		fields["properties"] = json.RawMessage(`{}`)
	}
	return json.Marshal(fields)
}
