package model

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxReply bounds what is kept of one reply.
const maxReply = 64 << 20

// assembler builds one reply from its chunks.
type assembler struct {
	out       []Event // made by the last chunk
	finishing func()

	text, thought           strings.Builder
	textCarry, thoughtCarry textCarry
	think                   thinkSplit // of the text
	calls                   callList
	size                    int

	sawChoice bool
	finished  bool   // a finish reason came
	finish    string // that reason
	done      bool   // [DONE], or a whole completion
	usage     *Usage
	stray     string // the first data that was no JSON
}

// chunk takes in the data of one event.
func (a *assembler) chunk(name string, data []byte, unterminated bool) error {
	if !json.Valid(data) {
		switch {
		case unterminated && a.finished: // cut in what follows the reply
			return nil
		case unterminated:
			return cutError(nil)
		case name == "error":
			return streamError(&ErrorBody{Message: string(data)})
		case data[0] == '{':
			return &Error{Kind: ErrReply, Message: "the server sent a chunk that is no JSON: " + snippet(string(data))}
		case a.stray == "":
			a.stray = snippet(string(data))
		}
		return nil
	}
	var choices, failure, usage, object, message []byte
	eachField(data, func(key, value []byte) {
		switch string(key) {
		case "choices":
			choices = value
		case "error":
			failure = value
		case "usage":
			usage = value
		case "object":
			object = value
		case "message", "detail":
			message = value
		case "x_groq":
			eachField(value, func(key, value []byte) {
				if string(key) == "usage" {
					usage = value
				}
			})
		}
	})
	if name == "error" || string(object) == `"error"` || data[0] == '[' ||
		choices == nil && failure == nil && isString(message) {
		failure = data
	}
	if e := ParseErrorBody(failure); e != nil {
		return streamError(e)
	}
	a.setUsage(usage)
	var err error
	eachElement(choices, func(choice []byte) {
		if err == nil {
			err = a.choice(choice)
		}
	})
	if a.size > maxReply {
		return &Error{Kind: ErrReply, Message: "the reply is longer than " + strconv.Itoa(maxReply>>20) + " MiB"}
	}
	return err
}

// choice takes in one element of choices. A request asks for one choice:
// whatever index the server gives it, it is that one.
func (a *assembler) choice(choice []byte) error {
	var delta, message, finish, failure []byte
	eachField(choice, func(key, value []byte) {
		switch string(key) {
		case "delta":
			delta = value
		case "message":
			message = value
		case "finish_reason":
			finish = value
		case "usage":
			a.setUsage(value)
		case "error":
			failure = value
		}
	})
	if e := ParseErrorBody(failure); e != nil {
		return streamError(e)
	}
	a.sawChoice = true
	size := a.size
	err := a.delta(delta, false)
	if err == nil && len(message) > 0 {
		err = a.delta(message, true)
	}
	if reason := scalarText(finish); reason != "" && reason != "null" && err == nil {
		a.finish, a.finished = reason, true
		// Some servers give a reason with every piece of the text.
		if a.finishing != nil && a.size == size {
			a.finishing()
		}
	}
	return err
}

// delta takes in a delta, or a whole message, which repeats what deltas before
// it may have said.
func (a *assembler) delta(delta []byte, whole bool) error {
	var content, thought, calls, legacy []byte
	eachField(delta, func(key, value []byte) {
		switch string(key) {
		case "content", "refusal":
			if !isNull(value) && len(content) <= len(`""`) {
				content = value
			}
		case "reasoning_content", "reasoning":
			if !isNull(value) && len(thought) <= len(`""`) {
				thought = value
			}
		case "tool_calls":
			calls = value
		case "function_call":
			legacy = value
		}
	})
	a.addText(&a.thought, &a.thoughtCarry, thought, whole, true)
	if len(content) > 0 && content[0] == '[' {
		a.parts(content, whole)
	} else {
		a.addText(&a.text, &a.textCarry, content, whole, false)
	}
	if whole && len(a.calls.list) > 0 {
		return nil
	}
	var err error
	eachElement(calls, func(entry []byte) {
		if err == nil {
			err = a.calls.entry(entry)
			a.size += len(entry)
		}
	})
	if err == nil && len(legacy) > 0 && !isNull(legacy) {
		err = a.calls.function(legacy)
		a.size += len(legacy)
	}
	return err
}

// parts takes in content that is a list of typed parts.
func (a *assembler) parts(content []byte, whole bool) {
	if whole && a.text.Len() > 0 {
		return // the deltas have said it
	}
	eachElement(content, func(part []byte) {
		eachField(part, func(key, value []byte) {
			switch string(key) {
			case "text":
				a.addText(&a.text, &a.textCarry, value, false, false)
			case "thinking":
				a.addText(&a.thought, &a.thoughtCarry, value, false, true)
				eachElement(value, func(inner []byte) {
					eachField(inner, func(key, value []byte) {
						if string(key) == "text" {
							a.addText(&a.thought, &a.thoughtCarry, value, false, true)
						}
					})
				})
			}
		})
	})
}

func (a *assembler) addText(to *strings.Builder, carry *textCarry, value []byte, whole, thought bool) {
	s := carry.add(value)
	a.size += len(s)
	switch {
	case whole:
		s += carry.rest()
		if !thought {
			var split thinkSplit
			text, inside := split.add(s)
			rest, more := split.end()
			if s = text + rest; a.thought.Len() == 0 {
				a.put("", inside+more)
			}
		}
		if s = strings.TrimPrefix(s, to.String()); strings.HasPrefix(to.String(), s) {
			return // nothing new
		}
	case !thought:
		a.put(a.think.add(s))
		return
	}
	if thought {
		a.put("", s)
	} else {
		a.put(s, "")
	}
}

// put adds to the answer and to the thinking.
func (a *assembler) put(text, thought string) {
	if thought != "" {
		a.thought.WriteString(thought)
		a.out = append(a.out, ThoughtDelta{thought})
	}
	if text != "" {
		a.text.WriteString(text)
		a.out = append(a.out, TextDelta{text})
	}
}
