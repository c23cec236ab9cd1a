package faults

import (
	"fmt"
	"math/rand/v2"
)

// fault is a reply of a server that is not well. A weight says how often it comes.
type fault struct {
	weight int
	reply  func(r *rand.Rand) string
}

func always(script string) func(*rand.Rand) string {
	return func(*rand.Rand) string { return script }
}

// faults are what a server may do to a request. None is the fault of agentd.
var faults = []fault{
	{300, func(r *rand.Rand) string {
		return fmt.Sprintf("chunks %d\nthought hm\ntext %q", 1+r.IntN(9), "An answer.")
	}},
	{60, always("call read_file {\"path\":\"a.txt\"}")},
	{40, func(r *rand.Rand) string {
		return fmt.Sprintf("call read_file {\"path\":\"a.txt\"}\ncall list_directory {}\ncall write_file {\"path\":\"new%d.txt\",\"content\":\"x\\n\"}", r.IntN(1e9))
	}},
	{20, always("call edit_file {\"path\":\"a.txt\",\"old_string\":\"nowhere\",\"new_string\":\"x\"}\nfinish stop")},
	// Calls that are none.
	{10, always("call str_replace_editor {}")},
	{10, always("call \"Read File!\" {\"path\":\"a.txt\"}")},
	{10, always("call \"\" \"\"")},
	{10, always("call write_file \"{\\\"path\\\": \\\"b.txt\\\"\"")},
	{10, always("call id=same read_file {\"path\":\"a.txt\"}\ncall id=same list_directory null")},
	{10, always("delta {\"tool_calls\":[{\"function\":{\"name\":\"read_file\",\"arguments\":\"{\\\"path\\\":\"}}]}\ndelta {\"tool_calls\":[{\"function\":{\"arguments\":\"\\\"a.txt\\\"}\"}}]}")},
	{10, always("delta {\"tool_calls\":[{\"index\":3,\"id\":null}]}\ntext nothing")},
	// Ends of all kinds.
	{10, always("text half\ncall write_file \"{\\\"path\\\":\\\"c.t\"\nfinish length")},
	{10, always("text half\nfinish length")},
	{10, always("text no\nfinish content_filter")},
	{10, always("text what\nfinish eos")},
	{10, always("text null\nfinish null")},
	{10, always("text \"\"")},
	{10, always("finish tool_calls")},
	{10, always("text no usage\nusage none")},
	// Forms of all kinds.
	{10, always("lines crlf\nraw \": ping\\n\\n\"\ntext crlf")},
	{10, always("gzip\npackets 7\nchunks 3\ntext zipped")},
	{10, always("packets one\ncall list_directory {}")},
	{5, always("body {\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"no stream\"},\"finish_reason\":\"stop\"}]}")},
	// Failures.
	{15, always("cut")},
	{15, always("text half\ncut")},
	{15, always("thought hm\nend")},
	{15, always("call write_file {\"path\":\"never.txt\",\"content\":\"x\"}\ncut")},
	{10, always("text half\nraw \"data: {\\\"choices\\\":[{\\\"del\"\nend")},
	{10, always("end")},
	{10, always("data [DONE]\nend")},
	{10, always("text half\ndata {\"error\":{\"message\":\"quota\"}}\nend")},
	{10, always("data {\"error\":{\"message\":\"busy\",\"code\":503}}\nend")},
	{10, always("raw \"data: {broken\\n\\n\"\nend")},
	{10, func(r *rand.Rand) string { return fmt.Sprintf("raw %q\nend", garbage(r)) }},
	{10, func(r *rand.Rand) string { return fmt.Sprintf("status 200\nbody %q", garbage(r)) }},
	{15, always("status 429\nheader Retry-After-Ms: 50")},
	{5, always("status 429\nheader Retry-After: 90000")},
	{15, always("status 503")},
	{10, always("status 502\nheader Content-Type: text/html\nbody <html>Bad gateway</html>")},
	{10, always("status 400\nbody {\"error\":{\"message\":\"no\"}}")},
	{5, always("status 401")},
	{5, always("status 404")},
	{5, always("status 302\nheader Location: /elsewhere")},
	{3, always("status 400\nbody {\"error\":{\"message\":\"maximum context length is 9000 tokens\",\"code\":\"context_length_exceeded\"}}")},
	{2, always("text half\nstall")},
	{1, always("stall")},
}

// garbage is any bytes.
func garbage(r *rand.Rand) string {
	b := make([]byte, r.IntN(400))
	for i := range b {
		b[i] = byte(r.UintN(256))
		if r.IntN(8) == 0 {
			b[i] = '\n'
		}
	}
	return string(b)
}

// choose gives a reply by chance.
func choose(r *rand.Rand) string {
	sum := 0
	for _, f := range faults {
		sum += f.weight
	}
	n := r.IntN(sum)
	for _, f := range faults {
		if n -= f.weight; n < 0 {
			return f.reply(r)
		}
	}
	panic("the weights do not add up")
}
