package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDecode: what is wrong is said by the names of the message, and not by those of
// Go.
func TestDecode(t *testing.T) {
	type inner[T any] struct {
		Mode T `json:"mode"`
	}
	type outer struct {
		Agentd inner[string] `json:"agentd"`
		N      int           `json:"n"`
	}
	for raw, want := range map[string]string{
		`{"agentd":{"mode":7}}`: "params.agentd.mode: a number does not fit",
		`{"agentd":7}`:          "params.agentd: a number does not fit",
		`{"n":"x"}`:             "params.n: a string does not fit",
		`{"n":1.5}`:             "params.n: a number 1.5 does not fit",
		`7`:                     "params must be an object",
	} {
		_, err := DecodeParams[outer](json.RawMessage(raw))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	var o outer
	if err := DecodeAnswer(json.RawMessage(`{"agentd":{"mode":7}}`), &o); err == nil || strings.Contains(err.Error(), "outer") || strings.Contains(err.Error(), "json:") {
		t.Error(err)
	}
}
