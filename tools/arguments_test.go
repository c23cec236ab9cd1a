package tools

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type todo struct {
	Text   string `json:"text"`
	Status string `json:"status,omitempty" jsonschema:"enum=open,enum=done,default=open"`
}

type params struct {
	Path   string            `json:"path" jsonschema:"minLength=1"`
	Offset int               `json:"offset,omitempty" jsonschema:"minimum=1,default=1"`
	Limit  *int              `json:"limit,omitempty" jsonschema:"maximum=2000"`
	All    bool              `json:"replace_all,omitempty" jsonschema:"default=false"`
	Mode   string            `json:"mode,omitempty" jsonschema:"enum=content,enum=files"`
	Todos  []todo            `json:"todos,omitempty" jsonschema:"maxItems=3"`
	Names  []string          `json:"names,omitempty"`
	Env    map[string]string `json:"env,omitempty"`
	Ratio  float64           `json:"ratio,omitempty"`
}

// TestArguments: what models send, and what becomes of it.
func TestArguments(t *testing.T) {
	s := schemaOf[params]()
	for _, c := range []struct{ name, in, want, notes string }{
		{"plain", `{"path":"a","offset":3}`, `{"offset":3,"path":"a","replace_all":false}`, ""},
		{"M08 numbers as strings", `{"path":"a","offset":"10","limit":5.0}`, `{"limit":5,"offset":10,"path":"a","replace_all":false}`, "offset"},
		{"booleans as strings", `{"path":"a","replace_all":"true"}`, `{"offset":1,"path":"a","replace_all":true}`, "replace_all"},
		{"exponent", `{"path":"a","offset":1e1}`, `{"offset":10,"path":"a","replace_all":false}`, ""},
		{"number for a string", `{"path":5}`, `{"offset":1,"path":"5","replace_all":false}`, "path"},
		{"null of an optional", `{"path":"a","offset":null,"mode":null}`, `{"offset":1,"path":"a","replace_all":false}`, ""},
		{"structure in a string", `{"path":"a","todos":"[{\"text\":\"t\"}]"}`, `{"offset":1,"path":"a","replace_all":false,"todos":[{"status":"open","text":"t"}]}`, "todos"},
		{"one object for an array", `{"path":"a","todos":{"text":"t","status":"done"}}`, `{"offset":1,"path":"a","replace_all":false,"todos":[{"status":"done","text":"t"}]}`, "todos"},
		{"one string for an array", `{"path":"a","names":"n"}`, `{"names":["n"],"offset":1,"path":"a","replace_all":false}`, "names"},
		{"encoded twice", `"{\"path\":\"a\"}"`, `{"offset":1,"path":"a","replace_all":false}`, ""},
		{"a string that looks like JSON stays", `{"path":"{\"a\":1}"}`, `{"offset":1,"path":"{\"a\":1}","replace_all":false}`, ""},
		{"a string that looks like a number stays", `{"path":"10"}`, `{"offset":1,"path":"10","replace_all":false}`, ""},
		{"map", `{"path":"a","env":{"A":"1"}}`, `{"env":{"A":"1"},"offset":1,"path":"a","replace_all":false}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			args, notes, err := s.Arguments(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if string(args) != c.want {
				t.Errorf("%s, want %s", args, c.want)
			}
			if joined := strings.Join(notes, "; "); (joined == "") != (c.notes == "") || !strings.Contains(joined, c.notes) {
				t.Errorf("notes %q, want %q", joined, c.notes)
			}
			if err := decodeStrict(args, new(params)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBadArguments: each error names the field and says what fits, without a
// word of Go.
func TestBadArguments(t *testing.T) {
	s := schemaOf[params]()
	for _, c := range []struct {
		name, in string
		says     []string
	}{
		{"missing", `{"offset":1}`, []string{"path: missing"}},
		{"nothing", "", []string{"path: missing"}},
		{"null", "null", []string{"path: missing"}},
		{"unknown", `{"path":"a","replaceAll":true}`, []string{"replaceAll: no such parameter", "replace_all"}},
		{"M08 no number", `{"path":"a","offset":"abc"}`, []string{"offset: an integer is needed, not a string"}},
		{"huge", `{"path":"a","offset":99999999999999999999}`, []string{"offset: the number is too large"}},
		{"huge exponent", `{"path":"a","offset":1e999999}`, []string{"offset: the number is too large"}},
		{"fraction", `{"path":"a","offset":1.5}`, []string{"offset: an integer is needed"}},
		{"too small", `{"path":"a","offset":0}`, []string{"offset: must be at least 1"}},
		{"too large", `{"path":"a","limit":9999}`, []string{"limit: must be at most 2000"}},
		{"not in the list", `{"path":"a","mode":"zzz"}`, []string{"mode: must be one of content, files"}},
		{"empty", `{"path":""}`, []string{"path: must not be shorter than 1"}},
		{"too many", `{"path":"a","todos":[{"text":"1"},{"text":"2"},{"text":"3"},{"text":"4"}]}`, []string{"todos: takes at most 3"}},
		{"deep", `{"path":"a","todos":[{"text":7,"status":"x","y":1}]}`, []string{"todos.0.status", "todos.0.y: no such parameter (there are text, "}},
		{"null of a required", `{"path":null}`, []string{"path: a string is needed, not null"}},
		{"M09 cut", `{"path": "a.txt"`, []string{"break off"}},
		{"broken", `{"path": a}`, []string{"not valid JSON"}},
		{"two", `{"path":"a"}{"path":"b"}`, []string{"not valid JSON"}},
		{"array", `["a"]`, []string{"not a JSON object"}},
		{"number", `7`, []string{"not a JSON object"}},
		{"text", `"hello"`, []string{"JSON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := s.Arguments(c.in)
			var e *Error
			if !errors.As(err, &e) || e.Code != CodeInvalidArguments {
				t.Fatalf("%v", err)
			}
			for _, want := range c.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			for _, never := range []string{"json:", "Go ", "float64", "json.Number", "struct", "mem://", "jsonschema"} {
				if strings.Contains(err.Error(), never) {
					t.Errorf("%q says %q", err, never)
				}
			}
		})
	}
}

// FuzzArguments: any text gives arguments that decode, or an error.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{"path":"a"}`, `"{}"`, `{"path":"a","todos":"[[[1]]]"}`, `{"path":"a","env":"{}"}`, `{"path":"a","offset":"1e400"}`, `{"path":"a","offset":"9e18"}`, `{"path":"a","offset":9e99}`, `{"path":"a","limit":-0.0}`, `{"path":"a","ratio":"NaN"}`} {
		f.Add(s)
	}
	s := schemaOf[params]()
	f.Fuzz(func(t *testing.T, in string) {
		args, _, err := s.Arguments(in)
		if err != nil {
			return
		}
		if err := decodeStrict(args, new(params)); err != nil {
			t.Errorf("%q gives %s, which does not decode: %v", in, args, err)
		}
	})
}

// TestSchemaText is what the model and OpenAI's API are told.
func TestSchemaText(t *testing.T) {
	var s struct {
		Type       string
		Properties map[string]json.RawMessage
		Required   []string
		Additional *bool `json:"additionalProperties"`
	}
	if err := json.Unmarshal(schemaOf[params]().JSON(), &s); err != nil {
		t.Fatal(err)
	}
	if s.Type != "object" || len(s.Properties) != 9 || len(s.Required) != 1 || s.Additional == nil || *s.Additional {
		t.Errorf("%+v", s)
	}
	if strings.Contains(string(schemaOf[params]().JSON()), "$ref") {
		t.Error("a $ref")
	}
}
