package fakemodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// post sends messages (the inside of a JSON array) and gives the answer.
func post(t *testing.T, s *Server, messages string) (int, string) {
	t.Helper()
	return postBody(t, s, `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[`+messages+`]}`)
}

func postBody(t *testing.T, s *Server, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest("POST", s.URL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer k-1")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		b = append(b, "<"+err.Error()+">"...)
	}
	return res.StatusCode, string(b)
}

func started(t *testing.T, script string) *Server {
	t.Helper()
	s, err := New(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

const hello = `{"role":"user","content":"hello"}`

// summary joins the deltas of a stream into one readable line.
func summary(t *testing.T, sse string) string {
	t.Helper()
	var out []string
	for _, line := range strings.Split(sse, "\n\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			if line != "" {
				out = append(out, line)
			}
			continue
		}
		var c struct {
			Choices []struct {
				Delta  json.RawMessage
				Finish *string `json:"finish_reason"`
			}
			Usage *struct {
				In  int `json:"prompt_tokens"`
				Out int `json:"completion_tokens"`
			}
		}
		if json.Unmarshal([]byte(data), &c) != nil {
			out = append(out, data)
			continue
		}
		for _, ch := range c.Choices {
			if string(ch.Delta) != "{}" {
				out = append(out, string(ch.Delta))
			}
			if ch.Finish != nil {
				out = append(out, *ch.Finish)
			}
		}
		if c.Usage != nil {
			out = append(out, fmt.Sprintf("usage %d %d", c.Usage.In, c.Usage.Out))
		}
	}
	return strings.Join(out, "\n")
}

func TestReplies(t *testing.T) {
	for _, tc := range []struct{ name, script, want string }{
		{"text", "text Hi there.\nusage 1 2", `{"content":"Hi there."}` + "\nstop\nusage 1 2\n[DONE]"},
		{"quoted text in pieces", "chunks 2\ntext \"a\\nbé\"\nusage 1 2", `{"content":"a\n"}` + "\n" + `{"content":"bé"}` + "\nstop\nusage 1 2\n[DONE]"},
		{"thought, then a call", "thought hm\ncall list {}\nusage 1 2", `{"reasoning_content":"hm"}
{"tool_calls":[{"function":{"arguments":"","name":"list"},"id":"c1","index":0,"type":"function"}]}
{"tool_calls":[{"function":{"arguments":"{}"},"index":0}]}
tool_calls
usage 1 2
[DONE]`},
		{"ids and broken arguments", "call id=x7 \"a b\" \"{\\\"\"\ncall n\nusage 1 2", `{"tool_calls":[{"function":{"arguments":"","name":"a b"},"id":"x7","index":0,"type":"function"}]}
{"tool_calls":[{"function":{"arguments":"{\""},"index":0}]}
{"tool_calls":[{"function":{"arguments":"","name":"n"},"id":"c1","index":1,"type":"function"}]}
{"tool_calls":[{"function":{"arguments":"{}"},"index":1}]}
tool_calls
usage 1 2
[DONE]`},
		{"finish none", "text a\nfinish none\nusage 1 2", `{"content":"a"}` + "\nusage 1 2\n[DONE]"},
		{"finish length", "text a\nfinish length\nusage 1 2", `{"content":"a"}` + "\nlength\nusage 1 2\n[DONE]"},
		{"end", "text a\nend", `{"content":"a"}`},
		{"cut", "raw \"data: {\"\ncut", "{<unexpected EOF>"},
		{"raw and data", "raw \": ping\\n\\n\"\ndata {\"error\":\"quota\"}\nend", ": ping"},
		{"placeholders", "text <{{last h(el)}}> {{repeat 3 ab}} {{authorization}}\nend", `{"content":"\u003cel\u003e ababab Bearer k-1"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := started(t, tc.script)
			status, body := post(t, s, hello)
			if got := summary(t, body); status != 200 || got != tc.want {
				t.Errorf("HTTP %d\n%s\nwant\n%s", status, got, tc.want)
			}
		})
	}
}

func TestStatusHeaderBody(t *testing.T) {
	s := started(t, `status 401
		header X-A: b
		body {"error":"no {{authorization}}"}`)
	status, body := post(t, s, hello)
	if status != 401 || body != `{"error":"no Bearer k-1"}` {
		t.Errorf("HTTP %d %s", status, body)
	}
}

func TestWithoutStream(t *testing.T) {
	s := started(t, "text hi\ncall f {\"a\":1}")
	status, body := postBody(t, s, `{"model":"m","messages":[`+hello+`]}`)
	if status != 200 || !strings.Contains(body, `"content":"hi"`) || !strings.Contains(body, `"arguments":"{\"a\":1}"`) {
		t.Errorf("HTTP %d %s", status, body)
	}
}

func TestOrderRepeatIfAndConversations(t *testing.T) {
	s := started(t, `
		text one
		---
		repeat 2
		text two
		---
		if last denied
		text skipped
		---
		if-not last denied
		text three
		---
		forever
		text rest
		== special task
		text special
	`)
	for _, want := range []string{"one", "two", "two", "three", "rest", "rest"} {
		if _, body := post(t, s, hello); !strings.Contains(body, want) {
			t.Errorf("want %s, got %s", want, body)
		}
	}
	if _, body := post(t, s, `{"role":"user","content":"a special task for you"}`); !strings.Contains(body, `"special"`) {
		t.Errorf("conversation: got %s", body)
	}
	if status, body := post(t, s, `{"role":"user","content":"special task"}`); status != 400 || !strings.Contains(body, "no reply left") {
		t.Errorf("exhausted: HTTP %d %s", status, body)
	}
	if got := s.Unused(); len(got) != 0 {
		t.Errorf("Unused: %q", got)
	}
	if n := len(s.Requests()); n != 8 {
		t.Errorf("%d requests", n)
	}
}

func TestUnused(t *testing.T) {
	s := started(t, "text a\n---\ntext b\n---\nif last x\ntext c\n---\nforever\ntext d")
	post(t, s, hello)
	if got := s.Unused(); len(got) != 1 || !strings.Contains(got[0], "line 3") {
		t.Errorf("Unused: %q", got)
	}
}

func TestWant(t *testing.T) {
	const body = `{"model":"m","stream":true,"messages":[{"role":"system","content":"be good"},` +
		`{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":[{"type":"text","text":"three"}]}],` +
		`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]}`
	for want, holds := range map[string]bool{
		"want last three": true, "want last one": false, "want-not last one": true, "want-not last three": false,
		"want any one": true, "want any four": false, "want system \"be good\"": true, "want system bad": false,
		"want tools f": true, "want tools g": false, "want-not tools g": true,
		"want model m": true, "want model n": false, "want messages 3": true, "want messages 4": false,
		"want body \"\\\"name\\\":\\\"f\\\"\"": true,
	} {
		s := started(t, want+"\ntext ok")
		status, answer := postBody(t, s, body)
		if (status == 200) != holds || (len(s.Errors()) == 0) != holds {
			t.Errorf("%s: HTTP %d %s, errors %q", want, status, answer, s.Errors())
		}
	}
}

func TestScriptErrors(t *testing.T) {
	for _, script := range []string{
		"sing a song", `text "unfinished`, "chunks none", "usage 1", "usage 1 2 x=3", "want moon x", "want messages x",
		"set strict maybe", "set content maybe", "delay long", "header x", "want last", "repeat 0",
	} {
		if _, err := New(script); err == nil || !strings.Contains(err.Error(), "script line 1") {
			t.Errorf("%q: %v", script, err)
		}
	}
}

func TestModels(t *testing.T) {
	s := started(t, "")
	res, err := http.Get(s.URL + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, _ := io.ReadAll(res.Body); res.StatusCode != 200 || !json.Valid(b) {
		t.Errorf("HTTP %d %s", res.StatusCode, b)
	}
}

func TestStallEndsWithTheServer(t *testing.T) {
	s, err := New("text a\nstall")
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(
		`{"model":"m","stream":true,"messages":[`+hello+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	s.Close()
	_, _ = io.ReadAll(res.Body)
}
