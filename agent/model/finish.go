package model

import (
	"crypto/rand"
	"errors"
	"io"
	"strconv"
)

// yieldOut hands out the events that the last chunk made.
func (a *assembler) yieldOut(yield func(Event, error) bool) bool {
	for _, e := range a.out {
		if !yield(e, nil) {
			return false
		}
	}
	a.out = a.out[:0]
	return true
}

// yieldEnd hands out the end of the reply; err is what the stream ended with,
// nil after [DONE].
func (a *assembler) yieldEnd(err error, yield func(Event, error) bool) {
	if !a.finished && !a.done {
		if err == io.EOF {
			err = nil
		}
		yield(nil, a.cut(err))
		return
	}
	if !a.sawChoice {
		message := "the server sent an empty reply"
		if a.stray != "" {
			message += ": " + a.stray
		}
		yield(nil, &Error{Kind: ErrReply, Message: message})
		return
	}
	if s := a.thoughtCarry.rest(); s != "" {
		a.thought.WriteString(s)
		a.out = append(a.out, ThoughtDelta{s})
	}
	a.put(a.think.add(a.textCarry.rest()))
	a.put(a.think.end())
	if !a.yieldOut(yield) {
		return
	}
	m := &Message{Role: RoleAssistant, Reasoning: a.thought.String(), ToolCalls: a.calls.finish(rand.Text()[:12])}
	if a.text.Len() > 0 {
		m.Parts = []Part{{Text: a.text.String()}}
	}
	reason, failure := finishReason(a.finish, len(m.ToolCalls) > 0)
	if failure != nil {
		yield(nil, failure)
		return
	}
	yield(Finish{Message: m, Reason: reason, RawReason: a.finish, Usage: a.usage}, nil)
}

// cut says how the stream broke off.
func (a *assembler) cut(err error) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e
	}
	if a.stray != "" {
		return &Error{Kind: ErrCut, Message: "the reply was cut off; the server sent: " + a.stray, Err: err}
	}
	return cutError(err)
}

func cutError(err error) error {
	return &Error{Kind: ErrCut, Message: "the reply was cut off: the server ended the stream in the middle of it", Err: err}
}

// finishReason reads the server's finish reason. Some reasons are failures.
func finishReason(raw string, hasCalls bool) (FinishReason, error) {
	switch raw {
	case "length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens":
		return FinishLength, nil
	case "content_filter", "content-filter", "safety", "SAFETY", "refusal", "sensitive":
		return FinishFilter, nil
	case "error", "network_error":
		return "", &Error{Kind: ErrCut, Message: "the model server gave up in the middle of the reply (finish reason " + raw + ")"}
	case "insufficient_system_resource":
		return "", &Error{Kind: ErrOverloaded, Message: "the model server ran out of resources in the middle of the reply"}
	}
	switch {
	case hasCalls:
		return FinishToolCalls, nil
	case raw == "stop" || raw == "STOP" || raw == "end_turn":
		return FinishStop, nil
	}
	return FinishOther, nil
}

// setUsage takes in a usage object; the last one of a reply counts.
func (a *assembler) setUsage(value []byte) {
	if len(value) == 0 || value[0] != '{' {
		return
	}
	var u Usage
	number := func(value []byte) int {
		f, err := strconv.ParseFloat(scalarText(value), 64)
		if err != nil || f < 0 || f > 1e12 {
			return 0
		}
		return int(f)
	}
	details := func(name string, to *int) func(key, value []byte) {
		return func(key, value []byte) {
			if string(key) == name {
				*to = number(value)
			}
		}
	}
	any := false
	eachField(value, func(key, value []byte) {
		any = true
		switch string(key) {
		case "prompt_tokens", "input_tokens":
			u.InputTokens = number(value)
		case "completion_tokens", "output_tokens":
			u.OutputTokens = number(value)
		case "prompt_cache_hit_tokens", "cached_tokens":
			u.CachedTokens = number(value)
		case "prompt_tokens_details", "input_tokens_details":
			eachField(value, details("cached_tokens", &u.CachedTokens))
		case "completion_tokens_details", "output_tokens_details":
			eachField(value, details("reasoning_tokens", &u.ReasoningTokens))
		}
	})
	if any && u != (Usage{}) { // some say 0 for what they do not know
		a.usage = &u
	}
}
