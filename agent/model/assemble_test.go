package model

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// show writes a reply in one line an event; deltas of a kind are joined, and
// ids that were made up are written as made-0, made-1 ...
func show(events iter.Seq2[Event, error]) string {
	var out []string
	var text, thought string
	flush := func() {
		if thought != "" {
			out = append(out, "thought "+strconv.Quote(thought))
		}
		if text != "" {
			out = append(out, "text "+strconv.Quote(text))
		}
		text, thought = "", ""
	}
	for e, err := range events {
		if err != nil {
			flush()
			var me *Error
			if !errors.As(err, &me) {
				return "untyped error " + err.Error()
			}
			out = append(out, fmt.Sprintf("error %s: %s", me.Kind, me.Message))
			continue
		}
		switch e := e.(type) {
		case TextDelta:
			text += e.Text
		case ThoughtDelta:
			thought += e.Text
		case Finish:
			if e.Message.Text() != text || e.Message.Reasoning != thought {
				out = append(out, fmt.Sprintf("the message differs from the deltas: %q %q", e.Message.Text(), e.Message.Reasoning))
			}
			flush()
			for _, c := range e.Message.ToolCalls {
				out = append(out, strings.TrimSpace(fmt.Sprintf("call %s %s %s", madeUp.ReplaceAllString(c.ID, "made-$1"), c.Name, c.Arguments)))
			}
			line := "finish " + string(e.Reason)
			if e.RawReason != string(e.Reason) {
				line += fmt.Sprintf(" (%q)", e.RawReason)
			}
			if e.Usage != nil && *e.Usage != (Usage{}) {
				line += fmt.Sprintf(" %d+%d", e.Usage.InputTokens, e.Usage.OutputTokens)
			}
			out = append(out, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

var madeUp = regexp.MustCompile(`^call_[A-Z2-7]{12}_(\d+)$`)

// delta is a chunk with one choice; finish is raw JSON or "".
func delta(delta, finish string) string {
	if finish == "" {
		finish = "null"
	}
	return `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}` + "\n\n"
}

func say(text string) string { return delta(`{"content":`+strconv.Quote(text)+`}`, "") }

// tool is a chunk with tool_calls entries.
func tool(entries ...string) string {
	return delta(`{"tool_calls":[`+strings.Join(entries, ",")+`]}`, "")
}

const (
	done      = "data: [DONE]\n\n"
	endStop   = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" + done
	endCalls  = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n" + done
	usageOnly = `data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}` + "\n\n"
	isCut     = "error stream_cut: the reply was cut off: the server ended the stream in the middle of it"
)

// streams are raw bytes and what must come of them, by row of the failure
// cases they guard.
var streams = []struct{ name, in, want string }{
	{"plain", delta(`{"role":"assistant","content":""}`, "") + say("Hel") + say("lo") + endStop, `text "Hello"` + "\nfinish stop"},
	{"M01 ids, no index",
		tool(`{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\""}}`) +
			tool(`{"id":"b","function":{"name":"g","arguments":"{\"y\""}}`) +
			tool(`{"id":"a","function":{"arguments":":1}"}}`) + tool(`{"id":"b","function":{"arguments":":2}"}}`) + endCalls,
		"call a f {\"x\":1}\ncall b g {\"y\":2}\nfinish tool_calls"},
	{"M01 ids first, then nothing",
		tool(`{"id":"a","function":{"name":"f","arguments":""}}`) + tool(`{"function":{"arguments":"{}"}}`) +
			tool(`{"id":"b","function":{"name":"g"}}`) + tool(`{"function":{"arguments":"{\"y\":2}"}}`) + endCalls,
		"call a f {}\ncall b g {\"y\":2}\nfinish tool_calls"},
	{"M01 neither index nor id",
		tool(`{"function":{"name":"f","arguments":"{\"a\":"}}`) + tool(`{"function":{"arguments":"1}"}}`) +
			tool(`{"function":{"name":"f","arguments":"{}"}}`) + tool(`{"function":{"name":"g","arguments":"{}"}}`) + endCalls,
		"call made-0 f {\"a\":1}\ncall made-1 f {}\ncall made-2 g {}\nfinish tool_calls"},
	{"M01 name in every fragment",
		tool(`{"function":{"name":"f","arguments":"{\"a\":"}}`) + tool(`{"function":{"name":"f","arguments":"1}"}}`) + endCalls,
		"call made-0 f {\"a\":1}\nfinish tool_calls"},
	{"M01 another id in every fragment",
		tool(`{"id":"a","function":{"name":"f","arguments":"{\"a\":"}}`) + tool(`{"id":"b","function":{"arguments":"1}"}}`) + endCalls,
		"call a f {\"a\":1}\nfinish tool_calls"},
	{"M01 every index is 0",
		tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`) + tool(`{"index":0,"id":"b","function":{"name":"f","arguments":"{\"b\":"}}`) +
			tool(`{"index":0,"function":{"arguments":"1}"}}`) + endCalls,
		"call a f {}\ncall b f {\"b\":1}\nfinish tool_calls"},
	{"M01 every index is 0 and no ids",
		tool(`{"index":0,"function":{"name":"f","arguments":"{}"}}`) + tool(`{"index":0,"function":{"name":"g","arguments":"{}"}}`) + endCalls,
		"call made-0 f {}\ncall made-1 g {}\nfinish tool_calls"},
	{"M01 one id for two indexes",
		tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`) + tool(`{"index":1,"id":"a","function":{"name":"g","arguments":"{}"}}`) + endCalls,
		"call a f {}\ncall made-1 g {}\nfinish tool_calls"},
	{"M03 id in the first delta only",
		tool(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`) + strings.Repeat(tool(`{"index":0,"function":{"arguments":"1"}}`), 10) + endCalls,
		"call a f 1111111111\nfinish tool_calls"},
	{"M03 two interleaved",
		tool(`{"index":0,"id":"a","function":{"name":"f"}}`, `{"index":1,"id":"b","function":{"name":"g"}}`) +
			tool(`{"index":1,"function":{"arguments":"{\"b\""}}`) + tool(`{"index":0,"function":{"arguments":"{\"a\""}}`) +
			tool(`{"index":1,"id":"","function":{"name":"","arguments":":1}"}}`, `{"index":0,"id":null,"function":{"name":null,"arguments":":1}"}}`) + endCalls,
		"call a f {\"a\":1}\ncall b g {\"b\":1}\nfinish tool_calls"},
	{"M04 one index twice in an array",
		tool(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"function":{"arguments":" {\""}}`) +
			tool(`{"index":0,"function":{"arguments":"a\":1}"}}`) + endCalls,
		"call a f  {\"a\":1}\nfinish tool_calls"},
	{"M04 a name in pieces",
		tool(`{"index":0,"id":"a","function":{"name":"read_"}}`) + tool(`{"index":0,"function":{"name":"file"}}`) + tool(`{"index":0,"function":{"arguments":"{}"}}`) + endCalls,
		"call a read_file {}\nfinish tool_calls"},
	{"M06 no arguments",
		tool(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":1,"id":"b","function":{"name":"f","arguments":null}}`,
			`{"index":2,"id":"c","function":{"name":"f"}}`, `{"index":3,"id":"d","function":{"name":"f","arguments":" "}}`) + endCalls,
		"call a f\ncall b f\ncall c f\ncall d f\nfinish tool_calls"},
	{"M08 arguments as an object", tool(`{"index":"0","id":7,"function":{"name":"f","arguments":{"a":[1,"}"]}}}`) + endCalls,
		"call 7 f {\"a\":[1,\"}\"]}\nfinish tool_calls"},
	{"M09 broken arguments", tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"path\": \"a.txt\""}}`) + endCalls,
		"call a f {\"path\": \"a.txt\"\nfinish tool_calls"},
	{"M11 finish stop with a call", tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`) + endStop,
		"call a f {}\nfinish tool_calls (\"stop\")"},
	{"M11 calls, null and [DONE]", tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`) + done,
		"call a f {}\nfinish tool_calls (\"\")"},
	{"M11 function_call", delta(`{"function_call":{"name":"f","arguments":"{\"a\""}}`, "") + delta(`{"function_call":{"arguments":":1}"}}`, `"function_call"`),
		"call made-0 f {\"a\":1}\nfinish tool_calls (\"function_call\")"},
	{"M12 content_filter", say("a") + delta(`{}`, `"content_filter"`) + done, "text \"a\"\nfinish content_filter"},
	{"M12 eos", say("a") + delta(`{}`, `"eos"`) + done, "text \"a\"\nfinish other (\"eos\")"},
	{"M12 null", say("a") + done, "text \"a\"\nfinish other (\"\")"},
	{"M12 tool_calls without calls", say("a") + endCalls, "text \"a\"\nfinish other (\"tool_calls\")"},
	{"M12 error", say("a") + delta(`{}`, `"error"`) + done, "text \"a\"\nerror stream_cut: the model server gave up in the middle of the reply (finish reason error)"},
	{"M12 empty and null words", delta(`{"content":"a"}`, `""`) + delta(`{"content":"b"}`, `"null"`) + endStop, "text \"ab\"\nfinish stop"},
	{"length", say("a") + tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a"}}`) + delta(`{}`, `"length"`) + done,
		"text \"a\"\ncall a f {\"a\nfinish length"},
	{"M14 comments and empty events",
		": ping\n\n" + say("a") + ":\n\n\n\n\n" + "event: x\n\n" + "data:\n\n" + "data\n\n" + "data: \n\n" + "id: 1\nretry: 5\n\n" + "event: ping\ndata: {}\n\n" +
			say("b") + ": ping\r\n\r\n\r\nevent: x\r\n\r\ndata:\r\n\r\n" + strings.ReplaceAll(say("c"), "\n", "\r\n") + endStop,
		"text \"abc\"\nfinish stop"},
	{"M14 comment inside an event", "event: chunk\n: ping\n" + say("a") + ": x\n" + endStop, "text \"a\"\nfinish stop"},
	{"M14 words", "data: ping\n\n" + say("a") + endStop, "text \"a\"\nfinish stop"},
	{"M14 CR only", strings.ReplaceAll(say("a")+endStop, "\n", "\r"), "text \"a\"\nfinish stop"},
	{"M14 byte order mark", "\ufeff" + say("a") + endStop, "text \"a\"\nfinish stop"},
	{"M14 no space after the colon", strings.ReplaceAll(say("a")+endStop, "data: ", "data:"), "text \"a\"\nfinish stop"},
	{"M14 data over several lines", "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]\ndata: }\n\n" + endStop, "text \"a\"\nfinish stop"},
	{"M14 last event without a blank line", say("a") + strings.TrimRight(endStop, "\n"), "text \"a\"\nfinish stop"},
	{"M15 2 MiB in a line",
		tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"content\":\"`+strings.Repeat("x", 2<<20)+`\"}"}}`) + endCalls,
		`call a f {"content":"` + strings.Repeat("x", 2<<20) + "\"}\nfinish tool_calls"},
	{"M16 error object", say("a") + `data: {"error":{"message":"quota"}}` + "\n\n", "text \"a\"\nerror model_error: the model server reported an error: quota"},
	{"M16 error string", `data: {"error":"quota"}` + "\n\n", "error model_error: the model server reported an error: quota"},
	{"M16 error event", "event: error\ndata: {\"message\":\"quota\"}\n\n", "error model_error: the model server reported an error: quota"},
	{"M16 error event of words", "event: error\ndata: quota\n\n", "error model_error: the model server reported an error: quota"},
	{"M16 no data: before it", `{"error":{"message":"quota"}}` + "\n", "error model_error: the model server reported an error: quota"},
	{"M16 object error", `data: {"object":"error","message":"quota","code":40001}` + "\n\n", "error model_error: the model server reported an error: quota"},
	{"M16 message alone", `data: {"code":"Bad","message":"quota"}` + "\n\n", "error model_error: the model server reported an error: quota"},
	{"M16 in the choice", `data: {"choices":[{"delta":{},"finish_reason":"error","error":{"code":502,"message":"down"}}]}` + "\n\n",
		"error overloaded: the model server reported an error: down"},
	{"M16 rate limit", `data: {"error":{"message":"slow down","code":"rate_limit_exceeded"}}` + "\n\n", "error rate_limited: the model server reported an error: slow down"},
	{"M16 null and empty errors", strings.ReplaceAll(say("a")+say("b")+say("c"), `"id":"x"`, `"error":null`) + `data: {"choices":[],"error":{}}` + "\n\n" + endStop,
		"text \"abc\"\nfinish stop"},
	{"M18 closed", say("a"), "text \"a\"\n" + isCut},
	{"M18 closed in mid-event", say("a") + `data: {"choices":[{"delta":{"content":"b`, "text \"a\"\n" + isCut},
	{"M18 closed in a line end", say("a") + "data", "text \"a\"\n" + isCut},
	{"M18 closed in a call", tool(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`), isCut},
	{"M18 nothing at all", "", isCut},
	{"M18 usage is no end", say("a") + usageOnly, "text \"a\"\n" + isCut},
	{"M18 words, then closed", "data: upstream gone\n\n", "error stream_cut: the reply was cut off; the server sent: upstream gone"},
	{"M18 finish reason is an end", say("a") + delta(`{}`, `"stop"`), "text \"a\"\nfinish stop"},
	{"M18 cut after the finish reason", say("a") + delta(`{}`, `"stop"`) + `data: {"choices":[],"usa`, "text \"a\"\nfinish stop"},
	{"M25 reasoning_content", delta(`{"reasoning_content":"hm"}`, "") + delta(`{"reasoning_content":null,"content":"a"}`, "") + endStop,
		"thought \"hm\"\ntext \"a\"\nfinish stop"},
	{"M25 reasoning", delta(`{"content":"","reasoning":"hm"}`, "") + say("a") + endStop, "thought \"hm\"\ntext \"a\"\nfinish stop"},
	{"M25 both", delta(`{"reasoning":"hm","reasoning_content":"hm"}`, "") + say("a") + endStop, "thought \"hm\"\ntext \"a\"\nfinish stop"},
	{"M25 parts", delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"}]}`, "") + endStop,
		"thought \"hm\"\ntext \"a\"\nfinish stop"},
	{"M27 names", tool(`{"index":0,"id":"a","function":{"name":"Read File!","arguments":"{}"}}`, `{"index":1,"id":"b","function":{"name":"","arguments":"{}"}}`, `{"index":2}`) + endCalls,
		"call a Read File! {}\ncall b  {}\nfinish tool_calls"},
	{"usage after the finish", say("a") + delta(`{}`, `"stop"`) + usageOnly + done, "text \"a\"\nfinish stop 12+3"},
	{"usage in every chunk", strings.Repeat(strings.Replace(say("a"), `"id":"x"`, `"usage":{"input_tokens":1,"output_tokens":2}`, 1), 2) + endStop, "text \"aa\"\nfinish stop 1+2"},
	{"whole message", `data: {"choices":[{"message":{"role":"assistant","content":"a","reasoning_content":"hm","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n",
		"thought \"hm\"\ntext \"a\"\ncall c f {}\nfinish tool_calls"},
	{"whole message after its deltas", say("ab") + tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`) +
		`data: {"choices":[{"message":{"content":"abc","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n",
		"text \"abc\"\ncall c f {}\nfinish tool_calls"},
	{"refusal", delta(`{"content":null,"refusal":"no"}`, "") + endStop, "text \"no\"\nfinish stop"},
	{"empty reply", endStop, "finish stop"},
	{"no reply", done, "error bad_reply: the server sent an empty reply"},
	{"only usage", usageOnly + done, "error bad_reply: the server sent an empty reply"},
	{"broken chunk", say("a") + "data: {\"choices\":\n\n" + endStop, "text \"a\"\nerror bad_reply: the server sent a chunk that is no JSON: {\"choices\":"},
	{"surrogates in two chunks", delta(`{"content":"\ud83d"}`, "") + delta(`{"content":"\ude00!"}`, "") + endStop, "text \"\U0001F600!\"\nfinish stop"},
	{"half a surrogate", delta(`{"content":"a\ud83d"}`, "") + endStop, "text \"a\ufffd\"\nfinish stop"},
	{"escaped backslash before u", delta(`{"content":"\\ud83d"}`, "") + endStop, `text "\\ud83d"` + "\nfinish stop"},
	{"bytes of a character in two chunks", delta("{\"content\":\"\xf0\x9f\"}", "") + delta("{\"content\":\"\x98\x80\"}", "") + endStop, "text \"\U0001F600\"\nfinish stop"},
	{"escapes", delta(`{"content":"\n\"\\\u00e9\/é"}`, "") + endStop, `text "\n\"\\é/é"` + "\nfinish stop"},
}

func TestReadStream(t *testing.T) {
	for _, tc := range streams {
		t.Run(tc.name, func(t *testing.T) {
			compare(t, "whole", show(ReadStream(strings.NewReader(tc.in), nil)), tc.want)
			if len(tc.in) < 1<<20 {
				compare(t, "byte by byte", show(ReadStream(iotest.OneByteReader(strings.NewReader(tc.in)), nil)), tc.want)
			}
			compare(t, "error with the last byte", show(ReadStream(iotest.DataErrReader(strings.NewReader(tc.in)), nil)), tc.want)
		})
	}
}

func compare(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		const most = 2000
		t.Errorf("%s: got\n%.*s\nwant\n%.*s", what, most, got, most, want)
	}
}

// TestConnectionLost is M18 with a reset instead of a clean end.
func TestConnectionLost(t *testing.T) {
	reset := errors.New("connection reset")
	lost := func(s string) io.Reader { return io.MultiReader(strings.NewReader(s), iotest.ErrReader(reset)) }
	compare(t, "in the text", show(ReadStream(lost(say("a")), nil)), "text \"a\"\n"+isCut)
	compare(t, "in an event", show(ReadStream(lost(say("a")+`data: {"choices":[]}`), nil)), "text \"a\"\n"+isCut)
	compare(t, "after the finish reason", show(ReadStream(lost(say("a")+delta("{}", `"stop"`)), nil)), "text \"a\"\nfinish stop")
	for _, err := range ReadStream(lost(""), nil) {
		if !errors.Is(err, reset) {
			t.Errorf("the cause is lost: %v", err)
		}
	}
}

func TestFinishingIsCalled(t *testing.T) {
	called := 0
	everyChunk := delta(`{"content":"b"}`, `"stop"`)
	for e := range ReadStream(strings.NewReader(say("a")+everyChunk+endStop), func() { called++ }) {
		if _, ok := e.(TextDelta); ok && called != 0 {
			t.Error("called while there is text")
		}
	}
	if called != 1 {
		t.Errorf("called %d times", called)
	}
}

func TestBreakOff(t *testing.T) {
	for range ReadStream(strings.NewReader(say("a")+say("b")+endStop), nil) {
		break
	}
}

func TestReadCompletion(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"text", `{"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`, "text \"a\"\nfinish stop 1+2"},
		{"call", `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{}"}}]}}]}`, "call x f {}\nfinish tool_calls (\"\")"},
		{"two choices", `{"choices":[{"message":{"content":"a"}},{"message":{"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "text \"a\"\ncall x f {}\nfinish tool_calls"},
		{"parts", `{"choices":[{"message":{"reasoning":"hm","content":[{"type":"text","text":"ab"},{"type":"text","text":"a"}]},"finish_reason":"stop"}]}`, "thought \"hm\"\ntext \"aba\"\nfinish stop"},
		{"error", `{"error":{"message":"quota"}}`, "error model_error: the model server reported an error: quota"},
		{"error in a list", `[{"error":{"message":"quota"}}]`, "error model_error: the model server reported an error: quota"},
		{"something else", `{"hello":1}`, "error bad_reply: the server's answer is no chat completion: {\"hello\":1}"},
		{"no JSON", `<html>`, "error bad_reply: the server's answer is no chat completion: <html>"},
		{"empty", ``, "error bad_reply: the server's answer is no chat completion: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			compare(t, "got", show(ReadCompletion([]byte(tc.in))), tc.want)
		})
	}
}
