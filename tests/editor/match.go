package editor

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Fits reports whether have holds all that want says: the fields of objects
// that want names, arrays element by element, everything else exactly. A
// string in want that begins with "~" must be contained; with "!~" it must
// not; "*" stands for anything that is there.
func Fits(have, want json.RawMessage) error {
	var h, w any
	if err := json.Unmarshal(want, &w); err != nil {
		return fmt.Errorf("the expectation is no JSON: %w: %s", err, want)
	}
	if len(have) == 0 {
		return fmt.Errorf("nothing is there")
	}
	if err := json.Unmarshal(have, &h); err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	return fits(h, w, "")
}

func fits(h, w any, at string) error {
	switch w := w.(type) {
	case map[string]any:
		o, ok := h.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: not an object", at)
		}
		for k, x := range w {
			v, there := o[k]
			if x == nil && !there {
				continue
			}
			if !there {
				return fmt.Errorf("%s.%s is missing", at, k)
			}
			if err := fits(v, x, at+"."+k); err != nil {
				return err
			}
		}
		return nil
	case []any:
		a, ok := h.([]any)
		if !ok || len(a) != len(w) {
			return fmt.Errorf("%s: not an array of %d", at, len(w))
		}
		for i := range w {
			if err := fits(a[i], w[i], fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
		return nil
	case string:
		return fitsString(h, w, at)
	}
	if !reflect.DeepEqual(h, w) {
		return fmt.Errorf("%s: %v, not %v", at, h, w)
	}
	return nil
}

func fitsString(h any, w, at string) error {
	if w == "*" {
		return nil
	}
	s, ok := h.(string)
	if !ok {
		return fmt.Errorf("%s: %v is no string", at, h)
	}
	part, contains := strings.CutPrefix(w, "~")
	not, without := strings.CutPrefix(w, "!~")
	switch {
	case without && strings.Contains(s, not):
		return fmt.Errorf("%s: %q holds %q", at, s, not)
	case without:
		return nil
	case contains && !strings.Contains(s, part):
		return fmt.Errorf("%s: %q does not hold %q", at, s, part)
	case !contains && s != w:
		return fmt.Errorf("%s: %q, not %q", at, s, w)
	}
	return nil
}
