package openai

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
)

func settings(t *testing.T, text string) Settings {
	t.Helper()
	var s Settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSettings checks what each setting does to the body of a request.
func TestSettings(t *testing.T) {
	image := &model.Message{Role: model.RoleUser, Parts: []model.Part{{Text: "see"}, {Image: "data:image/png;base64,AA"}}}
	call := &model.Message{Role: model.RoleAssistant, Reasoning: "hm", ToolCalls: []model.ToolCall{{ID: "c", Name: "f", Arguments: "{}"}}}
	for _, tc := range []struct{ settings, url, has, lacks string }{
		{`{}`, "", `"stream_options":{"include_usage":true}`, `"hm"`},
		{`{"reasoning":true}`, "", `"reasoning_content":"hm"`, ""},
		{`{"reasoning":false}`, "https://api.deepseek.com", `"content":""`, "reasoning_content"},
		{`{}`, "https://api.deepseek.com", `"reasoning_content":"hm"`, ""},
		{`{"emptyContent":"string"}`, "", `"content":""`, `"content":null`},
		{`{"emptyContent":"null"}`, "https://api.mistral.ai/v1", `"content":null`, "stream_options"},
		{`{"emptyContent":"omit"}`, "", "", `"content":null`},
		{`{"maxTokens":9}`, "", `"max_tokens":9`, "max_completion_tokens"},
		{`{"maxTokens":9}`, "https://api.openai.com/v1", `"max_completion_tokens":9`, `"max_tokens"`},
		{`{"maxTokens":9,"maxCompletionTokens":false}`, "https://api.openai.com/v1", `"max_tokens":9`, "max_completion_tokens"},
		{`{"streamOptions":false}`, "", "", "stream_options"},
		{`{"streamOptions":true}`, "https://api.mistral.ai/v1", "stream_options", ""},
		{`{"parallelToolCalls":false}`, "", `"parallel_tool_calls":false`, ""},
		{`{"parallelToolCalls":true}`, "", "", "parallel_tool_calls"},
		{`{"strictSchemas":true}`, "", `"strict":true`, ""},
		{`{"developerRole":true}`, "", `"role":"developer"`, `"role":"system"`},
		{`{"vision":false}`, "", "you cannot see images", "image_url"},
		{`{"vision":true}`, "", "image_url", "you cannot see images"},
	} {
		if tc.url == "" {
			tc.url = "http://127.0.0.1:1/v1"
		}
		c := client(t, tc.url, func(cfg *Config) { cfg.Settings = []Settings{{}, settings(t, tc.settings)} })
		answer := model.TextMessage(model.RoleTool, "ok")
		answer.ToolCallID = "c"
		req := &model.Request{System: "s", Messages: []*model.Message{image, call, answer}, Tools: []model.Tool{{Name: "f"}}}
		b, err := c.body(req, *c.quirks.Load())
		if err != nil || !json.Valid(b) {
			t.Fatalf("%s %v", b, err)
		}
		if !strings.Contains(string(b), tc.has) || tc.lacks != "" && strings.Contains(string(b), tc.lacks) {
			t.Errorf("%s at %s: want %s, not %s:\n%s", tc.settings, tc.url, tc.has, tc.lacks, b)
		}
	}
	c := client(t, "http://127.0.0.1:1", func(cfg *Config) { cfg.Settings = []Settings{settings(t, `{"idleSeconds":3}`)} })
	if c.cfg.IdleTimeout != 3*time.Second {
		t.Error(c.cfg.IdleTimeout)
	}
	for _, bad := range []string{`{"emptyContent":"none"}`, `{"maxTokens":0}`, `{"idleSeconds":-1}`} {
		if _, err := New(Config{Settings: []Settings{settings(t, bad)}}); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestImagesAreGivenUp: a model without vision says so in many words; the request
// goes again with a sentence, and what was learned holds.
func TestImagesAreGivenUp(t *testing.T) {
	for _, refusal := range []string{
		`status 400 {"error":{"message":"Invalid content type. image_url is only supported by certain models."}}`,
		`status 400 {"error":{"message":"Failed to deserialize the JSON body into the target type: messages[1]: unknown variant ` + "`image_url`, expected `text`" + `"}}`,
		`status 400 {"error":{"message":"Image input is not enabled for this model"}}`,
		`status 400 {"error":{"message":"At most 0 image(s) may be provided in one request."}}`,
		`status 400 {"error":{"message":"messages[1].content must be a string"}}`,
		`status 422 {"detail":[{"loc":["messages",1,"content"],"msg":"Input should be a valid string"}]}`,
		`status 500 {"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"}}`,
	} {
		status, body, _ := strings.Cut(strings.TrimPrefix(refusal, "status "), " ")
		s := fake(t, "status "+status+"\nbody "+body+"\n---\nwant images 0\nwant last \"you cannot see images\"\ntext fine\nforever")
		c := client(t, s.URL)
		req := &model.Request{Messages: []*model.Message{{Role: model.RoleUser, Parts: []model.Part{{Text: "see"}, {Image: "data:image/png;base64,AA"}}}}}
		notices := 0
		for range 2 {
			for e, err := range c.Stream(t.Context(), req) {
				if err != nil {
					t.Fatalf("%s: %v", refusal, err)
				}
				if _, ok := e.(model.Notice); ok {
					notices++
				}
			}
		}
		if len(s.Requests()) != 3 || notices != 1 || len(s.Errors()) > 0 {
			t.Errorf("%s: %d requests, %d notices, %v", refusal, len(s.Requests()), notices, s.Errors())
		}
	}
	// A broken image is not a model without eyes.
	s := fake(t, "forever\nstatus 400\nbody {\"error\":{\"message\":\"You uploaded an unsupported image. Please make sure your image is valid.\"}}")
	c := client(t, s.URL)
	e := failure(t, c, &model.Request{Messages: []*model.Message{{Role: model.RoleUser, Parts: []model.Part{{Image: "data:image/png;base64,AA"}}}}})
	if e.Kind != model.ErrBadRequest || len(s.Requests()) != 1 || c.quirks.Load().NoImages {
		t.Errorf("%v after %d requests", e, len(s.Requests()))
	}
}

// TestAFormThatDoesNotHelp is not kept, and the first refusal is what is told.
func TestAFormThatDoesNotHelp(t *testing.T) {
	s := fake(t, "status 400\nbody {\"error\":\"first: stream_options?\"}\n---\nstatus 400\nbody {\"error\":\"second\"}")
	c := client(t, s.URL)
	if e := failure(t, c, user("hi")); !strings.Contains(e.Message, "first") {
		t.Error(e)
	}
	if c.quirks.Load().NoStreamOptions {
		t.Error("a form that did not help was kept")
	}
}

func TestStrictSchema(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`{"type":"object","properties":{"z":{"type":"string","minLength":1},"a":{"type":"integer","minimum":1,"default":3}},"required":["z"]}`,
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["integer","null"],"minimum":1}},"required":["z","a"],"additionalProperties":false}`},
		{`{"type":"object","properties":{}}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{`{"type":"object","properties":{"e":{"type":"string","enum":["a","b"]}}}`,
			`{"type":"object","properties":{"e":{"type":["string","null"],"enum":["a","b",null]}},"required":["e"],"additionalProperties":false}`},
		{`{"type":"object","required":["l"],"properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}}}}`,
			`{"type":"object","required":["l"],"properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":["string","null"]}},"required":["x"],"additionalProperties":false}}},"additionalProperties":false}`},
		{`{"type":"object","properties":{"m":{"type":"object"}}}`, ""},
		{`{"type":"object","properties":{"m":{"type":"object","properties":{},"additionalProperties":{"type":"string"}}}}`, ""},
		{`{"type":"object","properties":{"m":{"$ref":"#/$defs/x"}}}`, ""},
		{`{"type":"object","properties":{"m":{}}}`, ""},
		{`[1]`, ""},
	} {
		got, ok := strictSchema(json.RawMessage(tc.in))
		if ok != (tc.want != "") || string(got) != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.in, got, tc.want)
		}
	}
}
