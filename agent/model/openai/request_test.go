package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/agent/model"
)

func wire(t *testing.T, m *model.Message, q Quirks) model.Wire {
	t.Helper()
	w, err := encodeMessage(m, q)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestEncodeMessage(t *testing.T) {
	call := []model.ToolCall{{ID: "c1", Name: "f", Arguments: `{"a":"<b>"}`}}
	const calls = `"tool_calls":[{"id":"c1","function":{"arguments":"{\"a\":\"<b>\"}","name":"f"},"type":"function"}]`
	for _, tc := range []struct {
		name string
		m    *model.Message
		q    Quirks
		want string
	}{
		{"user", model.TextMessage(model.RoleUser, "a <b> & \\u003c \u2028"), Quirks{}, `{"content":"a <b> & \\u003c \u2028","role":"user"}`},
		{"not UTF-8", model.TextMessage(model.RoleUser, "a\xffb"), Quirks{}, "{\"content\":\"a\\ufffdb\",\"role\":\"user\"}"},
		{"nothing", model.TextMessage(model.RoleUser, ""), Quirks{}, ""},
		{"image", &model.Message{Role: model.RoleUser, Parts: []model.Part{{Text: "see"}, {Image: "data:image/png;base64,AA"}}}, Quirks{},
			`{"content":[{"text":"see","type":"text"},{"image_url":{"url":"data:image/png;base64,AA"},"type":"image_url"}],"role":"user"}`},
		{"assistant", model.TextMessage(model.RoleAssistant, "hi"), Quirks{}, `{"content":"hi","role":"assistant"}`},
		{"assistant with nothing", &model.Message{Role: model.RoleAssistant, Reasoning: "hm"}, Quirks{SendReasoning: true}, ""},
		{"call", &model.Message{Role: model.RoleAssistant, ToolCalls: call}, Quirks{}, `{` + calls + `,"role":"assistant","content":null}`},
		{"call, string", &model.Message{Role: model.RoleAssistant, ToolCalls: call}, Quirks{EmptyContent: ContentString}, `{"content":"",` + calls + `,"role":"assistant"}`},
		{"call, omit", &model.Message{Role: model.RoleAssistant, ToolCalls: call}, Quirks{EmptyContent: ContentOmit}, `{` + calls + `,"role":"assistant"}`},
		{"reasoning", &model.Message{Role: model.RoleAssistant, Parts: []model.Part{{Text: "a"}}, Reasoning: "hm <x>"}, Quirks{SendReasoning: true},
			`{"content":"a","role":"assistant","reasoning_content":"hm <x>"}`},
		{"reasoning kept back", &model.Message{Role: model.RoleAssistant, Parts: []model.Part{{Text: "a"}}, Reasoning: "hm"}, Quirks{}, `{"content":"a","role":"assistant"}`},
		{"tool", &model.Message{Role: model.RoleTool, ToolCallID: "c1", Parts: []model.Part{{Text: "ok"}}}, Quirks{}, `{"content":"ok","tool_call_id":"c1","role":"tool"}`},
		{"tool without output", &model.Message{Role: model.RoleTool, ToolCallID: "c1"}, Quirks{}, `{"content":"(no output)","tool_call_id":"c1","role":"tool"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := string(wire(t, tc.m, tc.q).JSON)
			var a, b any
			if tc.want != "" && (json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(tc.want), &b) != nil) || got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// TestImagesFollowTheRun checks that an image of a tool's result does not part
// the tool messages of one run.
func TestImagesFollowTheRun(t *testing.T) {
	s := fake(t, "text fine")
	result := func(id, image string) *model.Message {
		return &model.Message{Role: model.RoleTool, ToolCallID: id, Parts: []model.Part{{Text: "r" + id, Image: image}}}
	}
	req := &model.Request{Messages: []*model.Message{
		model.TextMessage(model.RoleUser, "hi"),
		{Role: model.RoleAssistant, ToolCalls: []model.ToolCall{{ID: "1", Name: "f"}, {ID: "2", Name: "f"}}},
		result("1", "data:1"), result("2", "data:2"),
	}}
	if _, _, err := collect(t.Context(), client(t, s.URL), req); err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, m := range s.Requests()[0].Messages {
		roles = append(roles, m.Role+":"+m.Content)
	}
	if got, want := strings.Join(roles, " "), "user:hi assistant: tool:r1 tool:r2 user:(image from tool call 1)data:1 user:(image from tool call 2)data:2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestHistoryIsAccepted sends back what models get wrong: M06, M09, M27.
func TestHistoryIsAccepted(t *testing.T) {
	s := fake(t, "text fine")
	var calls []model.ToolCall
	var results []*model.Message
	for i, c := range []model.ToolCall{
		{Name: "f", Arguments: ""}, {Name: "f", Arguments: " "}, {Name: "f", Arguments: "null"}, {Name: "f", Arguments: `{"path": "a.txt"`},
		{Name: "Read File!", Arguments: "[1]"}, {Name: "", Arguments: `"{\"a\":1}"`}, {Name: strings.Repeat("x", 100), Arguments: "{}"},
		{Name: "日本", Arguments: "{\"a\":\"\xff\"}"}, {Name: "f", Arguments: strings.Repeat("x", 100000)},
	} {
		c.ID = "c" + string(rune('0'+i))
		calls = append(calls, c)
		results = append(results, &model.Message{Role: model.RoleTool, ToolCallID: c.ID})
	}
	req := &model.Request{Messages: append([]*model.Message{
		model.TextMessage(model.RoleUser, "hi"), {Role: model.RoleAssistant, ToolCalls: calls}}, results...)}
	if _, _, err := collect(t.Context(), client(t, s.URL), req); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0].Messages[1].ToolCalls
	for i, want := range []string{"{}", "{}", "{}", `{"invalid_arguments":"{\"path\": \"a.txt\""}`, `{"invalid_arguments":"[1]"}`, `{"a":1}`, "{}"} {
		if got[i].Arguments != want {
			t.Errorf("call %d: got %s, want %s", i, got[i].Arguments, want)
		}
	}
	if got[4].Name != "Read_File_" || got[5].Name != "unnamed" || len(got[6].Name) != 64 {
		t.Errorf("names: %q %q %q", got[4].Name, got[5].Name, got[6].Name)
	}
	if len(got[8].Arguments) > 5000 {
		t.Errorf("%d bytes of garbage are sent back", len(got[8].Arguments))
	}
}

// TestSchemas is C08: servers refuse a schema without properties.
func TestSchemas(t *testing.T) {
	s := fake(t, "text fine")
	req := user("hi")
	for name, schema := range map[string]string{
		"a": `{"type":"object"}`, "b": `{}`, "c": ``, "d": `null`, "e": `{"type":"object","properties":null}`,
		"f": `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string","description":"<b>"}},"required":["z"]}`, "g": "true",
	} {
		req.Tools = append(req.Tools, model.Tool{Name: name, Parameters: json.RawMessage(schema)})
	}
	c := client(t, s.URL)
	if _, _, err := collect(t.Context(), c, req); err != nil {
		t.Fatal(err)
	}
	if body := string(s.Requests()[0].Body); !strings.Contains(body, `"properties":{"z":{"type":"string"},"a":{"type":"string","description":"<b>"}}`) {
		t.Errorf("the order of properties is lost: %s", body)
	}
	req.Tools = []model.Tool{{Name: "a", Parameters: json.RawMessage(`[`)}}
	if e := failure(t, c, req); e.Kind != model.ErrBadRequest || !strings.Contains(e.Message, "tool a") {
		t.Error(e)
	}
}

func TestToolsAreEncodedOnce(t *testing.T) {
	c := client(t, "http://127.0.0.1:1")
	get := func(names string) []byte {
		var tools []model.Tool
		for _, n := range strings.Fields(names) {
			tools = append(tools, model.Tool{Name: n})
		}
		b, err := c.tools.get(tools, false)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := get("f g"), get("f")
	if &get("f g")[0] != &a[0] || &get("f")[0] != &b[0] {
		t.Error("a list was encoded again")
	}
	for _, n := range strings.Fields("a b c d e f g h i j k") {
		get(n)
	}
	if len(c.tools.lists) != maxToolLists {
		t.Errorf("%d lists are kept", len(c.tools.lists))
	}
}

func TestQuirks(t *testing.T) {
	if q := QuirksFor("api.deepseek.com"); !q.SendReasoning {
		t.Error("deepseek wants reasoning_content back")
	}
	if q := QuirksFor("notdeepseek.com"); q != (Quirks{}) {
		t.Error("a host name that only ends alike")
	}
	for _, tc := range []struct {
		q            Quirks
		system       string
		has, lacks   string
		maxTokens    int
		withoutTools bool
	}{
		{q: Quirks{}, has: `"stream_options":{"include_usage":true}`, lacks: `max_`},
		{q: Quirks{NoStreamOptions: true}, lacks: `stream_options`},
		{q: Quirks{}, maxTokens: 5, has: `"max_tokens":5`, lacks: "max_completion"},
		{q: Quirks{MaxCompletionTokens: true}, maxTokens: 5, has: `"max_completion_tokens":5`, lacks: `"max_tokens"`},
		{q: Quirks{NoParallelToolCalls: true}, has: `"parallel_tool_calls":false`},
		{q: Quirks{NoParallelToolCalls: true}, withoutTools: true, lacks: `parallel_tool_calls`},
		{q: Quirks{MaxTokens: 7}, has: `"max_tokens":7`},
		{q: Quirks{MaxTokens: 7, MaxCompletionTokens: true}, maxTokens: 5, has: `"max_completion_tokens":5`, lacks: `:7`},
		{q: Quirks{StrictSchemas: true}, has: `"strict":true`},
		{q: Quirks{}, lacks: `"strict"`},
		{q: Quirks{}, system: "s", has: `"role":"system"`},
		{q: Quirks{DeveloperRole: true}, system: "s", has: `"role":"developer"`},
	} {
		c := client(t, "http://127.0.0.1:1")
		c.quirks.Store(&tc.q)
		req := user("hi")
		req.System, req.MaxTokens = tc.system, tc.maxTokens
		if !tc.withoutTools {
			req.Tools = []model.Tool{{Name: "f"}}
		}
		b, err := c.body(req, *c.quirks.Load())
		if err != nil || !json.Valid(b) {
			t.Fatalf("%s %v", b, err)
		}
		if !strings.Contains(string(b), tc.has) || tc.lacks != "" && strings.Contains(string(b), tc.lacks) {
			t.Errorf("%+v: %s", tc.q, b)
		}
	}
}

// TestAdapt is M25 without a setting, and its like.
func TestAdapt(t *testing.T) {
	history := func() *model.Request {
		return &model.Request{Messages: []*model.Message{
			model.TextMessage(model.RoleUser, "hi"),
			{Role: model.RoleAssistant, Reasoning: "hm", ToolCalls: []model.ToolCall{{ID: "1", Name: "f"}}},
			{Role: model.RoleTool, ToolCallID: "1"},
		}, MaxTokens: 9}
	}
	for _, tc := range []struct {
		name, script string
		q            Quirks
		has, lacks   string
	}{
		{"reasoning required", "set reasoning required\nforever\ntext fine", Quirks{}, "reasoning_content", ""},
		{"reasoning rejected", "set reasoning rejected\nforever\ntext fine", Quirks{SendReasoning: true}, "", "reasoning_content"},
		{"content string", "set content string\nforever\ntext fine", Quirks{}, `"content":""`, ""},
		{"stream_options", "status 400\nbody {\"error\":\"unknown field stream_options\"}\n---\nforever\ntext fine", Quirks{}, "", "stream_options"},
		{"max_tokens", "status 400\nbody {\"error\":\"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.\"}\n---\nforever\ntext fine", Quirks{}, `"max_completion_tokens":9`, `"max_tokens"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := fake(t, tc.script)
			c := client(t, s.URL)
			c.quirks.Store(&tc.q)
			for range 2 {
				if text, _, err := collect(t.Context(), c, history()); err != nil || text != "fine" {
					t.Fatalf("%q %v", text, err)
				}
			}
			all := s.Requests()
			if len(all) != 3 {
				t.Errorf("%d requests: what the server wants is to be learned once", len(all))
			}
			if b := string(all[2].Body); !strings.Contains(b, tc.has) || tc.lacks != "" && strings.Contains(b, tc.lacks) {
				t.Error(b)
			}
		})
	}
	// A server that is never content is asked once in each form.
	s := fake(t, "forever\nstatus 400\nbody {\"error\":\"reasoning_content?\"}")
	if e := failure(t, client(t, s.URL), history()); e.Kind != model.ErrBadRequest || len(s.Requests()) != 2 || len(s.Errors()) > 0 {
		t.Errorf("%v after %d requests", e, len(s.Requests()))
	}
}

// TestOneHistoryTwoServers checks that a history encoded for one server is
// encoded anew for another.
func TestOneHistoryTwoServers(t *testing.T) {
	req := &model.Request{Messages: []*model.Message{{Role: model.RoleAssistant, Reasoning: "hm", Parts: []model.Part{{Text: "a"}}}}}
	c := client(t, "http://127.0.0.1:1")
	for _, send := range []bool{true, false, true} {
		b, err := c.body(req, Quirks{SendReasoning: send})
		if err != nil || strings.Contains(string(b), "reasoning_content") != send {
			t.Errorf("%v: %s %v", send, b, err)
		}
	}
}

func BenchmarkBody(b *testing.B) {
	req := &model.Request{System: strings.Repeat("system ", 1000)}
	for range 200 {
		req.Messages = append(req.Messages, model.TextMessage(model.RoleUser, strings.Repeat("text ", 1000)))
	}
	c, err := New(Config{Model: "m"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		body, err := c.body(req, Quirks{})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(body)))
	}
}
