package fakemodel

import (
	"strings"
	"testing"
)

// call is an assistant message with calls of the given ids.
func call(ids ...string) string {
	var calls []string
	for _, id := range ids {
		calls = append(calls, `{"id":"`+id+`","type":"function","function":{"name":"f","arguments":"{}"}}`)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

func answer(id string) string {
	return `{"role":"tool","tool_call_id":"` + id + `","content":"ok"}`
}

func join(messages ...string) string { return strings.Join(messages, ",") }

func TestStrict(t *testing.T) {
	for _, tc := range []struct{ name, set, messages, refused string }{
		{"good", "", join(hello, call("a", "b"), answer("b"), answer("a"), hello), ""},
		{"no messages", "", "", "no messages"},
		{"unanswered", "", join(hello, call("a", "b"), answer("a"), hello), `call "b"`},
		{"unanswered at the end", "", join(hello, call("a")), `call "a"`},
		{"answered twice", "", join(hello, call("a"), answer("a"), answer("a")), "no open call"},
		{"answered late", "", join(hello, call("a"), hello, answer("a")), "right after"},
		{"orphan", "", join(hello, answer("a")), "no open call"},
		{"same id twice", "", join(hello, call("a", "a"), answer("a")), "twice"},
		{"bad arguments", "", join(hello, strings.Replace(call("a"), `"{}"`, `"{"`, 1), answer("a")), "arguments"},
		{"array arguments", "", join(hello, strings.Replace(call("a"), `"{}"`, `"[]"`, 1), answer("a")), "arguments"},
		{"bad name", "", join(hello, strings.Replace(call("a"), `"f"`, `"f g"`, 1), answer("a")), `name "f g"`},
		{"empty user", "", `{"role":"user","content":""}`, "empty user"},
		{"empty assistant", "", join(hello, `{"role":"assistant","content":""}`), "needs content"},
		{"unknown field", "", `{"role":"user","content":"a","parts":[]}`, `"parts"`},
		{"bad role", "", `{"role":"robot","content":"a"}`, `"robot"`},
		{"late system", "", join(hello, `{"role":"system","content":"a"}`), "first message"},
		{"not UTF-8", "", "{\"role\":\"user\",\"content\":\"\xff\"}", "UTF-8"},
		{"off", "set strict off", answer("a"), ""},
		{"content string", "set content string", join(hello, call("a"), answer("a")), "must be a string"},
		{"content string, good", "set content string", join(hello, strings.Replace(call("a"), "null", `""`, 1), answer("a")), ""},
		{"content null", "set content null", join(hello, strings.Replace(call("a"), "null", `""`, 1), answer("a")), "must be null"},
		{"reasoning required", "set reasoning required", join(hello, call("a"), answer("a")), "reasoning_content"},
		{"reasoning rejected", "set reasoning rejected", join(hello, `{"role":"assistant","content":"a","reasoning_content":"b"}`), "reasoning_content"},
		{"limit", "set limit 20", hello, "maximum context length"},
		{"key", "set key other", hello, "Incorrect API key"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := started(t, tc.set+"\ntext fine")
			status, body := post(t, s, tc.messages)
			if tc.refused == "" && status != 200 || tc.refused != "" && (status == 200 || !strings.Contains(strings.ReplaceAll(body, `\"`, `"`), tc.refused)) {
				t.Errorf("HTTP %d %s", status, body)
			}
		})
	}
}

func TestStrictTools(t *testing.T) {
	const good = `{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{}},"required":["a"]}}}`
	for _, tc := range []struct{ name, tools, refused string }{
		{"good", good, ""},
		{"empty", "", "empty"},
		{"twice", good + "," + good, "twice"},
		{"name", strings.Replace(good, `"f"`, `"f.g"`, 1), "tool name"},
		{"no properties", strings.Replace(good, `"properties":{"a":{}},`, "", 1), "properties"},
		{"no parameters", `{"type":"function","function":{"name":"f"}}`, "properties"},
		{"required", strings.Replace(good, `{"a":{}}`, `{}`, 1), "no property"},
		{"type", strings.Replace(good, `"type":"function"`, `"type":"tool"`, 1), "type"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := started(t, "text fine")
			status, body := postBody(t, s, `{"model":"m","messages":[`+hello+`],"tools":[`+tc.tools+`]}`)
			if tc.refused == "" && status != 200 || tc.refused != "" && (status != 400 || !strings.Contains(body, tc.refused)) {
				t.Errorf("HTTP %d %s", status, body)
			}
		})
	}
}
