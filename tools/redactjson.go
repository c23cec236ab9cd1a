package tools

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// secretNames are the names of fields whose values are secrets, whatever they
// look like. Letter case, "-" and "_" do not matter.
var secretNames = regexp.MustCompile(`^(?:x|proxy)?(?:authorization|.*(?:password|passwd|passphrase|apikey|secretkey|accesskey|privatekey|clientsecret|accesstoken|refreshtoken|authtoken|sessiontoken|bearertoken|idtoken|privatetoken|vaulttoken)|secret|token|cookie|setcookie|credentials?)$`)

// secretHints are parts of those names, for a quick look.
var secretHints = [][]byte{[]byte("auth"), []byte("pass"), []byte("key"), []byte("secret"), []byte("token"), []byte("cookie"), []byte("credential")}

// JSON masks the secrets in a JSON text: those that Text knows, and the values
// of fields that have a secret's name, at any depth.
func (r *Redactor) JSON(raw json.RawMessage) json.RawMessage {
	if r == nil || len(raw) == 0 {
		return raw
	}
	lower := bytes.ToLower(raw)
	hinted := false
	for _, h := range secretHints {
		hinted = hinted || bytes.Contains(lower, h)
	}
	// An escaped letter could hide a name or a secret.
	if !hinted && !bytes.ContainsRune(raw, '\\') && r.Clean(string(raw)) {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return asJSON(r.Text(string(raw)))
	}
	masked, changed := r.value(v, false)
	if !changed {
		return raw
	}
	return asJSON(masked)
}

// value masks a decoded value. secret is set below a field with a secret's
// name.
func (r *Redactor) value(v any, secret bool) (masked any, changed bool) {
	switch v := v.(type) {
	case string:
		if secret && v != "" {
			return Mask, true
		}
		s := r.Text(v)
		return s, s != v
	case json.Number:
		if secret {
			return Mask, true
		}
	case []any:
		for i := range v {
			m, c := r.value(v[i], secret)
			v[i], changed = m, changed || c
		}
		return v, changed
	case map[string]any:
		for name, x := range v {
			m, c := r.value(x, secret || secretName(name))
			if safe := r.Text(name); safe != name {
				delete(v, name)
				name, c = safe, true
			}
			v[name], changed = m, changed || c
		}
		return v, changed
	}
	return v, false
}

func secretName(name string) bool {
	return secretNames.MatchString(strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name)))
}
