package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// DecodeAnswer decodes the result of a reverse request into a struct: it must
// be an object that has no field of the struct twice or in another case.
func DecodeAnswer(b json.RawMessage, result any) error {
	if len(b) == 0 || b[0] != '{' {
		return errors.New("it is not an object")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	t := reflect.TypeOf(result).Elem()
	n := 0
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		for key := range fields {
			if key != name && strings.EqualFold(key, name) {
				return fmt.Errorf("a field %q: it is called %q", key, name)
			}
		}
	}
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		tok, err := d.Token()
		if err != nil {
			break
		}
		if tok == json.Delim('{') {
			for d.More() {
				if _, err := d.Token(); err != nil {
					return err
				}
				n++
				var skip json.RawMessage
				if err := d.Decode(&skip); err != nil {
					return err
				}
			}
			break
		}
	}
	if n != len(fields) {
		return errors.New("a field is there twice")
	}
	return Decode(b, result)
}
