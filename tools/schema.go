package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Schema is the JSON Schema of a tool's arguments: one source for what the
// model is told, for coercion, and for validation. It is made on first use.
//
// In a parameter struct, a field without omitempty is required;
// `jsonschema:"description=...,minimum=1,enum=a,enum=b,default=a"` says the
// rest (a comma in a description is written "\\,"). Recursive types and fields
// of type any are not possible.
type Schema struct {
	tree  func() *jsonschema.Schema
	raw   func() json.RawMessage
	check func() (*validator.Schema, error)
}

func schemaOf[P any]() *Schema {
	return newSchema(sync.OnceValue(func() *jsonschema.Schema {
		r := &jsonschema.Reflector{DoNotReference: true, Anonymous: true, ExpandedStruct: true}
		s := r.Reflect(new(P))
		s.Version = ""
		return s
	}), nil)
}

// newSchema makes a Schema from a tree; doc, if given, is what arguments are
// checked against in its place.
func newSchema(tree func() *jsonschema.Schema, doc func() any) *Schema {
	s := &Schema{tree: tree}
	s.raw = sync.OnceValue(func() json.RawMessage {
		b, err := json.Marshal(s.tree())
		if err != nil {
			panic(fmt.Sprintf("a parameter struct gives no schema: %v", err))
		}
		return b
	})
	s.check = sync.OnceValues(func() (*validator.Schema, error) {
		if doc != nil {
			return compile(doc())
		}
		v, err := validator.UnmarshalJSON(bytes.NewReader(s.raw()))
		if err != nil {
			return nil, fmt.Errorf("reading the schema: %w", err)
		}
		return compile(v)
	})
	return s
}

func compile(doc any) (*validator.Schema, error) {
	c := validator.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource("mem:///arguments.json", doc); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return c.Compile("mem:///arguments.json")
}

// JSON is the schema as the model is told it.
func (s *Schema) JSON() json.RawMessage { return s.raw() }

// Arguments turns what a model sent into arguments that fit the schema, with
// notes on what was put right. The error names each field that does not fit.
func (s *Schema) Arguments(text string) (args json.RawMessage, notes []string, err error) {
	sent, err := parseArguments(text)
	if err != nil {
		return nil, nil, err
	}
	c := coercion{}
	v := c.value(sent, s.tree(), "")
	check, err := s.check()
	if err != nil {
		return nil, nil, err
	}
	if err := check.Validate(v); err != nil {
		return nil, nil, s.explain(err)
	}
	if len(c.large) > 0 { // a schema has no bound for numbers, Go has
		return nil, nil, &Error{Code: CodeInvalidArguments, Message: "the arguments do not fit: " + strings.Join(c.large, ", ") + ": the number is too large",
			Hint: "Correct them and call the tool again. It was not run."}
	}
	args, err = json.Marshal(v)
	return args, c.notes, err
}

// parseArguments reads the text as one JSON object. Nothing at all is an empty
// object, and an object that was encoded twice is unwrapped.
func parseArguments(text string) (map[string]any, error) {
	for depth := 0; ; depth++ {
		if t := strings.TrimSpace(text); t == "" || t == "null" {
			return map[string]any{}, nil
		}
		v, err := validator.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return nil, &Error{Code: CodeInvalidArguments, Message: "the arguments are not valid JSON: " + syntaxError(err),
				Hint: "Send one complete JSON object. The tool was not run."}
		}
		switch v := v.(type) {
		case map[string]any:
			return v, nil
		case string:
			if depth < 2 {
				text = v
				continue
			}
		}
		return nil, &Error{Code: CodeInvalidArguments, Message: "the arguments are not a JSON object",
			Hint: `Send an object with the tool's parameters, e.g. {"path": "src/main.go"}. The tool was not run.`}
	}
}

func syntaxError(err error) string {
	var se *json.SyntaxError
	if errors.As(err, &se) {
		if strings.Contains(se.Error(), "unexpected end") {
			return "they break off before the end"
		}
		return fmt.Sprintf("%s at byte %d", se.Error(), se.Offset)
	}
	if strings.Contains(err.Error(), "EOF") {
		return "they break off before the end"
	}
	return err.Error()
}

// explain writes a validation error for the model.
func (s *Schema) explain(err error) error {
	var ve *validator.ValidationError
	if !errors.As(err, &ve) {
		return err
	}
	var lines []string
	var walk func(e *validator.ValidationError)
	walk = func(e *validator.ValidationError) {
		if len(e.Causes) == 0 {
			lines = append(lines, s.sentence(e))
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(ve)
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return &Error{Code: CodeInvalidArguments, Message: "the arguments do not fit: " + strings.Join(lines, "; "),
		Hint: "Correct them and call the tool again. It was not run."}
}

func (s *Schema) sentence(e *validator.ValidationError) string {
	at := strings.Join(e.InstanceLocation, ".")
	if at == "" {
		at = "the arguments"
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return fmt.Sprintf("%s: missing", strings.Join(prefixed(e.InstanceLocation, k.Missing), ", "))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("%s: no such parameter%s", strings.Join(prefixed(e.InstanceLocation, k.Properties), ", "), s.known(e.InstanceLocation))
	case *kind.Type:
		return fmt.Sprintf("%s: %s is needed, not %s", at, article(strings.Join(k.Want, " or ")), article(k.Got))
	case *kind.Enum:
		want := make([]string, len(k.Want))
		for i, w := range k.Want {
			want[i] = fmt.Sprintf("%v", w)
		}
		return fmt.Sprintf("%s: must be one of %s", at, strings.Join(want, ", "))
	case *kind.Minimum:
		return fmt.Sprintf("%s: must be at least %s", at, k.Want.RatString())
	case *kind.Maximum:
		return fmt.Sprintf("%s: must be at most %s", at, k.Want.RatString())
	case *kind.MinLength:
		return fmt.Sprintf("%s: must not be shorter than %d", at, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("%s: must not be longer than %d", at, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("%s: needs at least %d", at, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("%s: takes at most %d", at, k.Want)
	}
	return fmt.Sprintf("%s: does not fit %s", at, strings.Join(e.ErrorKind.KeywordPath(), " "))
}

func prefixed(at, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.Join(append(slices.Clone(at), n), ".")
	}
	return out
}

// known lists the parameters that there are at a place.
func (s *Schema) known(at []string) string {
	tree := s.tree()
	for _, name := range at {
		switch {
		case tree.Items != nil:
			tree = tree.Items
		case tree.Properties != nil:
			tree, _ = tree.Properties.Get(name)
		}
		if tree == nil {
			return ""
		}
	}
	if tree.Properties == nil {
		return ""
	}
	var names []string
	for p := tree.Properties.Oldest(); p != nil; p = p.Next() {
		names = append(names, p.Key)
	}
	return " (there are " + strings.Join(names, ", ") + ")"
}

func article(noun string) string {
	switch noun {
	case "null":
		return "null"
	case "integer", "array", "object":
		return "an " + noun
	}
	return "a " + noun
}

// decodeStrict decodes validated arguments into a parameter struct.
func decodeStrict(args json.RawMessage, p any) error {
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	return d.Decode(p)
}
