package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func foreignTool(t *testing.T, schema string) (*Tool, error) {
	t.Helper()
	return NewForeign(Tool{Name: "x", Title: "X", Level: Safe}, json.RawMessage(schema), Handler[json.RawMessage]{
		Run: func(_ context.Context, _ *Call, args *json.RawMessage) (*Result, error) {
			return Text(string(*args)), nil
		}})
}

func TestForeignSchema(t *testing.T) {
	for schema, want := range map[string]string{
		``:                                       `{"properties":{},"type":"object"}`,
		`null`:                                   `{"properties":{},"type":"object"}`,
		`{}`:                                     `{"properties":{},"type":"object"}`,
		`{"type":"object"}`:                      `{"properties":{},"type":"object"}`,
		`{"type":"object","properties":null}`:    `{"properties":{},"type":"object"}`,
		`{"$schema":"http://json-schema.org/x"}`: `{"properties":{},"type":"object"}`,
		`{"properties":{"a":{}},"oneOf":[{}]}`:   `{"properties":{"a":{}},"type":"object"}`,
		`{"properties":{"a":{"type":"string"}}}`: `{"properties":{"a":{"type":"string"}},"type":"object"}`,
		`"string"`:                               "is not an object",
		`[1]`:                                    "is not an object",
		`{"type":"array"}`:                       "of the type array",
		`{"type":["object","null"]}`:             "of the type",
		`{"anyOf":[{"type":"object"}]}`:          "described by anyOf",
		`{"properties":{"a":{"type":"nonsense"}}}`:             "no valid JSON Schema",
		`{"properties":{"a":{"$ref":"file:///etc/passwd"}}}`:   "nothing is loaded from elsewhere",
		`{"properties":{"a":{"$ref":"http://127.0.0.1:1/x"}}}`: "nothing is loaded from elsewhere",
		`{"properties":{"a":{"pattern":"(?<=x)y"}}}`:           "no valid JSON Schema",
		`{"properties":{"a":{"multipleOf":1e999999999}}}`:      "cannot be compiled",
		`{`: "cannot be read",
		`{"description":"` + strings.Repeat("x", maxForeignSchema) + `"}`: "at most 65536",
	} {
		tool, err := foreignTool(t, schema)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(tool.Schema())
		}
		if !strings.Contains(got, want) {
			t.Errorf("%.80s: %s", schema, got)
		}
	}
}

func TestForeignArguments(t *testing.T) {
	tool, err := foreignTool(t, `{"type":"object","$defs":{"n":{"type":"integer"}},"properties":{"n":{"type":"integer"},"list":{"type":"array","items":{"type":["integer","null"]}},
		"either":{"type":["integer","string"]},"deep":{"type":"object","properties":{"b":{"type":"boolean"}}},"ref":{"$ref":"#/$defs/n"},"d":{"type":"integer","default":7}},"required":["n"]}`)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := NewRegistry(tool)
	if err != nil {
		t.Fatal(err)
	}
	d := &Dispatcher{Registry: reg, Gate: runAll{}, Env: &Env{}}
	for args, want := range map[string]string{
		`{"n":"1","list":["2",3.0,null],"either":"4","deep":"{\"b\":\"true\"}","ref":5}`: `{"deep":{"b":true},"either":"4","list":[2,3,null],"n":1,"ref":5}`,
		`{"n":1,"d":null}`:    `{"n":1}`,
		`{"n":1,"more":[{}]}`: `{"more":[{}],"n":1}`,
		`{}`:                  "n: missing",
		`{"n":1,"ref":"x"}`:   "ref: an integer is needed",
	} {
		if r := d.Run(t.Context(), &Invocation{ID: "c", Name: "x", Args: args}); !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
}

// TestForeignBomb: schemas that refer to each other twice, and again, are checked
// against in no time; those that refer to themselves, too.
func TestForeignBomb(t *testing.T) {
	var defs strings.Builder
	for i := range 40 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		fmt.Fprintf(&defs, `"d%d":{"type":"object","allOf":[%s,%s],"properties":{"x":%s,"y":%s}},`, i, next, next, next, next)
	}
	bomb := `{"properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":{` + defs.String() + `"d40":{}}}`
	tree := `{"properties":{"x":{"allOf":[{"$ref":"#"},{"$ref":"#"}]},"y":{"$ref":"#"}}}`
	args := strings.Repeat(`{"x":`, 40) + `{}` + strings.Repeat(`}`, 40)
	for _, schema := range []string{bomb, tree, `{"properties":{"x":{"$ref":"#a"}},"$defs":{"a":{"$anchor":"a"}}}`} {
		tool, err := foreignTool(t, schema)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := tool.schema.Arguments(args); err != nil {
			t.Error(err)
		}
		if _, _, err := tool.schema.Arguments(`{"x":7}`); (err == nil) == (schema == bomb) {
			t.Errorf("%.50s: %v", schema, err)
		}
	}
}

type runAll struct{}

func (runAll) Judge(*Request) Verdict { return Verdict{Ruling: Run} }

func (runAll) Confirm(context.Context, *Request) (Answer, error) { return Answer{Decision: Allow}, nil }
