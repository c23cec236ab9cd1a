package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/agent"
)

// chapter is what protocol.md says of one method: its examples.
type chapter struct {
	method   string
	examples []string
}

func chapters(t *testing.T) (page string, list []chapter) {
	t.Helper()
	b, err := os.ReadFile("../protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)\n```")
	for _, part := range strings.Split(string(b), "\n### `")[1:] {
		method, body, _ := strings.Cut(part, "`\n")
		body, _, _ = strings.Cut(body, "\n## ")
		c := chapter{method: method}
		for _, m := range example.FindAllStringSubmatch(body, -1) {
			c.examples = append(c.examples, m[1])
		}
		list = append(list, c)
	}
	return string(b), list
}

// TestProtocolPage decodes every example of protocol.md into the types of the
// code, and compares the methods of the page with those of the code.
func TestProtocolPage(t *testing.T) {
	page, list := chapters(t)
	methods := map[string]Method{}
	for _, m := range Methods() {
		methods[m.Name] = m
	}
	events := map[string]bool{}
	for _, c := range list {
		m, known := methods[c.method]
		if !known {
			t.Errorf("protocol.md describes %q, which the code does not have", c.method)
			continue
		}
		delete(methods, c.method)
		var asks, answers int
		for _, e := range c.examples {
			var msg struct {
				ID             json.RawMessage
				Method         string
				Params, Result json.RawMessage
			}
			if err := json.Unmarshal([]byte(e), &msg); err != nil {
				t.Errorf("%s: %v: %s", c.method, err, e)
				continue
			}
			var err error
			if msg.Method == "" {
				answers++
				err = decodeExample(msg.Result, m.Result)
			} else {
				asks++
				if msg.Method != c.method || (msg.ID == nil) != m.Notification {
					t.Errorf("%s: the example is of another kind: %s", c.method, e)
				}
				if c.method == "session/update" {
					var name string
					name, err = decodeUpdate(msg.Params)
					events[name] = true
				} else {
					err = decodeExample(msg.Params, m.Params)
				}
			}
			if err != nil {
				t.Errorf("%s: %v\n%s", c.method, err, e)
			}
		}
		if asks == 0 || !m.Notification && answers == 0 {
			t.Errorf("%s: protocol.md needs an example of each of its messages", c.method)
		}
	}
	for name := range methods {
		t.Errorf("protocol.md does not describe %s", name)
	}
	for _, e := range agent.Events() {
		if !events[e.EventType()] {
			t.Errorf("protocol.md has no example of the update %s", e.EventType())
		}
	}
	for _, code := range errorCodes {
		if !strings.Contains(page, fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("protocol.md does not explain the error %d", code)
		}
	}
}

// errorCodes are all codes that the daemon uses. TestErrorCodes keeps the list
// whole.
var errorCodes = []int{CodeParseError, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams, CodeInternalError, CodeNotInitialized, CodeCancelled,
	CodeSessionNotFound, CodeSessionBusy, CodeSessionLocked, CodeVersionUnsupported, CodeAuthRequired, CodeModelUnavailable, CodePathOutsideRoots,
	CodeOverloaded, CodeMessageTooLarge, CodeSessionClosed}

func TestErrorCodes(t *testing.T) {
	var b []byte
	for _, file := range []string{"error.go", "wire/error.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, text...)
	}
	consts := regexp.MustCompile(`(?m)^\tCode\w+\s+= (-?\d+)`).FindAllSubmatch(b, -1)
	for _, c := range consts {
		if !slices.ContainsFunc(errorCodes, func(code int) bool { return fmt.Sprint(code) == string(c[1]) }) {
			t.Errorf("the code %s is not in the list", c[1])
		}
	}
	for kind, code := range AgentCodes {
		if !slices.Contains(errorCodes, code) {
			t.Errorf("the kind %s has no code", kind)
		}
	}
}

// decodeExample decodes strictly: an example must not have fields that the
// type does not.
func decodeExample(raw json.RawMessage, as any) error {
	if raw == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(reflect.New(reflect.TypeOf(as)).Interface())
}

func decodeUpdate(raw json.RawMessage) (string, error) {
	var u struct {
		SessionID string         `json:"sessionId"`
		TurnID    string         `json:"turnId"`
		Seq       int64          `json:"seq"`
		Parent    string         `json:"parentToolCallId"`
		Update    map[string]any `json:"update"`
	}
	if err := decodeStrictly(raw, &u); err != nil {
		return "", err
	}
	name, _ := u.Update["type"].(string)
	delete(u.Update, "type")
	body, err := json.Marshal(u.Update)
	if err != nil {
		return "", err
	}
	for _, e := range agent.Events() {
		if e.EventType() == name {
			return name, decodeExample(body, e)
		}
	}
	return "", fmt.Errorf("there is no update %q", name)
}

func decodeStrictly(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// TestSchema checks that the schema has a definition for each reference.
func TestSchema(t *testing.T) {
	b, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllSubmatch(b, -1) {
		name, ok := strings.CutPrefix(string(m[1]), "#/$defs/")
		if !ok || s.Defs[name] == nil {
			t.Errorf("a reference to nothing: %s", m[1])
		}
	}
}
