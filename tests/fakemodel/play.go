package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// player writes one reply.
type player struct {
	w       http.ResponseWriter
	wire    *wireWriter
	req     *Request
	out     int // bytes of text and arguments sent
	index   int // of the next call
	message struct {
		text, thought string
		calls         []any
	}
}

// play answers a request with r; ids are the ids of its calls.
func (s *Server) play(w http.ResponseWriter, hr *http.Request, req *Request, r *reply, ids []string) {
	p := &player{w: w, req: req}
	for k, v := range r.header {
		for _, one := range v {
			w.Header().Add(k, p.expand(one))
		}
	}
	if r.status != 0 || r.body != nil {
		p.plain(r)
		return
	}
	if req.stream && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	p.wire = newWireWriter(w, r.form)
	for _, st := range r.steps {
		switch st.kind {
		case "delay":
			select {
			case <-time.After(st.wait):
			case <-hr.Context().Done():
				return
			case <-s.quit:
				return
			}
		case "meet":
			if !s.meet(st.pieces, hr.Context().Done()) {
				return
			}
		case "stall":
			p.wire.release()
			select {
			case <-hr.Context().Done():
			case <-s.quit:
			}
			return
		case "cut":
			p.wire.release()
			panic(http.ErrAbortHandler) // how net/http drops a connection
		case "end":
			p.wire.close()
			return
		case "raw":
			p.wire.send([]byte(p.expand(st.text)))
		case "delta":
			p.out += len(st.text)
			p.delta(json.RawMessage(p.expand(st.text)), nil)
		case "call":
			p.call(ids[p.index], st)
		default:
			p.text(st)
		}
	}
	p.end(r)
}

// plain answers with a status and a body.
func (p *player) plain(r *reply) {
	status := r.status
	if status == 0 {
		status = 200
	}
	if r.body == nil {
		fail(p.w, status, "fake_error", "fakemodel: status "+strconv.Itoa(status))
		return
	}
	if p.w.Header().Get("Content-Type") == "" {
		p.w.Header().Set("Content-Type", "application/json")
	}
	p.w.WriteHeader(status)
	_, _ = io.WriteString(p.w, p.expand(*r.body))
}

func (p *player) text(st step) {
	text := p.expand(st.text)
	field := "content"
	if st.kind == "thought" {
		field = "reasoning_content"
		p.message.thought += text
	} else {
		p.message.text += text
	}
	for _, piece := range split(text, st.pieces) {
		p.out += len(piece)
		p.delta(map[string]any{field: piece}, nil)
	}
}

func (p *player) call(id string, st step) {
	args := p.expand(st.text)
	p.message.calls = append(p.message.calls, map[string]any{
		"id": id, "type": "function", "function": map[string]any{"name": st.name, "arguments": args}})
	entry := map[string]any{"index": p.index, "id": id, "type": "function",
		"function": map[string]any{"name": st.name, "arguments": ""}}
	p.index++
	p.delta(map[string]any{"tool_calls": []any{entry}}, nil)
	for _, piece := range split(args, st.pieces) {
		p.out += len(piece)
		entry := map[string]any{"index": p.index - 1, "function": map[string]any{"arguments": piece}}
		p.delta(map[string]any{"tool_calls": []any{entry}}, nil)
	}
}

// end sends what follows the steps.
func (p *player) end(r *reply) {
	finish := r.finish
	if finish == "" {
		finish = "stop"
		if r.hasCall {
			finish = "tool_calls"
		}
	}
	u := r.usage
	if u == nil {
		u = &usage{in: len(p.req.Body) / 4, out: p.out/4 + 1}
	}
	var reason any = finish
	if finish == "null" {
		reason = nil
	}
	if !p.req.stream {
		m := map[string]any{"role": "assistant", "content": p.message.text}
		if p.message.calls != nil {
			m["tool_calls"] = p.message.calls
		}
		if p.message.thought != "" {
			m["reasoning_content"] = p.message.thought
		}
		p.w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(p.w).Encode(map[string]any{"id": "fake", "object": "chat.completion", "model": p.req.Model,
			"choices": []any{map[string]any{"index": 0, "message": m, "finish_reason": reason}}, "usage": u.wire()})
		p.wire.close()
		return
	}
	if finish != "none" {
		p.delta(map[string]any{}, reason)
	}
	if p.req.includeUsage && !r.noUsage {
		p.chunk([]any{}, u.wire())
	}
	p.wire.send([]byte("data: [DONE]\n\n"))
	p.wire.close()
}

func (u *usage) wire() any {
	return map[string]any{"prompt_tokens": u.in, "completion_tokens": u.out, "total_tokens": u.in + u.out,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.cached},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.reasoning}}
}

func (p *player) delta(delta, finish any) {
	p.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}, nil)
}

func (p *player) chunk(choices []any, usage any) {
	m := map[string]any{"id": "fake", "object": "chat.completion.chunk", "created": 0, "model": p.req.Model, "choices": choices}
	if usage != nil {
		m["usage"] = usage
	}
	b, _ := json.Marshal(m)
	p.wire.send(append(append([]byte("data: "), b...), "\n\n"...))
}

// split cuts text into at most n pieces, at character boundaries.
func split(text string, n int) []string {
	var out []string
	runes := []rune(text)
	size := max(1, (len(runes)+n-1)/n)
	for len(runes) > 0 {
		k := min(size, len(runes))
		out = append(out, string(runes[:k]))
		runes = runes[k:]
	}
	return out
}

// expand replaces the placeholders in s.
func (p *player) expand(s string) string {
	for _, name := range []string{"{{last ", "{{repeat ", "{{authorization}}", "{{date "} {
		from := 0
		for {
			i := strings.Index(s[from:], name)
			if i < 0 {
				break
			}
			i += from
			end := strings.Index(s[i:], "}}")
			if end < 0 {
				break
			}
			value := p.value(strings.TrimSpace(name[2:]), strings.TrimPrefix(s[i:i+end], name))
			s = s[:i] + value + s[i+end+2:]
			from = i + len(value)
		}
	}
	return s
}

func (p *player) value(name, arg string) string {
	switch name {
	case "last":
		re, err := regexp.Compile(arg)
		if err != nil {
			return err.Error()
		}
		m := re.FindStringSubmatch(p.req.Last())
		if m == nil {
			return "(no match)"
		}
		return m[min(1, len(m)-1)]
	case "date":
		d, err := time.ParseDuration(arg)
		if err != nil {
			return err.Error()
		}
		return time.Now().Add(d).UTC().Format(http.TimeFormat)
	case "repeat":
		count, text, _ := strings.Cut(arg, " ")
		n, _ := strconv.Atoi(count)
		return strings.Repeat(text, n)
	default:
		return p.req.Header.Get("Authorization")
	}
}
