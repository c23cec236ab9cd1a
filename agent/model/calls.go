package model

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxCalls bounds the tool calls of one reply.
const maxCalls = 512

// callList assembles the tool calls of a reply from their fragments. A
// fragment belongs to the call of its index; without an index to that of its
// id; without either to the last call, unless it brings a name: then it starts
// a new one.
type callList struct {
	list []*partialCall
}

// partialCall is a call as far as it has come.
type partialCall struct {
	index     string // as raw JSON, "" if none
	id        string
	name      string
	arguments strings.Builder
	carry     textCarry
}

// entry takes in one element of tool_calls.
func (l *callList) entry(entry []byte) error {
	var index, id string
	var function []byte
	eachField(entry, func(key, value []byte) {
		switch string(key) {
		case "index":
			index = scalarText(value)
		case "id":
			id = scalarText(value)
		case "function":
			function = value
		}
	})
	return l.fragment(index, id, function)
}

// function takes in the older function_call: the only call of its reply.
func (l *callList) function(function []byte) error {
	return l.fragment("function_call", "", function)
}

func (l *callList) fragment(index, id string, function []byte) error {
	var name string
	var arguments []byte
	eachField(function, func(key, value []byte) {
		switch string(key) {
		case "name":
			name = scalarText(value)
		case "arguments":
			arguments = value
		}
	})
	c := l.find(index, id, name, len(arguments) > len(`""`))
	if c == nil {
		if len(l.list) == maxCalls {
			return &Error{Kind: ErrReply, Message: "the reply has more than " + strconv.Itoa(maxCalls) + " tool calls"}
		}
		c = &partialCall{index: index}
		l.list = append(l.list, c)
	}
	if c.id == "" {
		c.id = id
	}
	switch {
	case c.name == "":
		c.name = name
	case name != c.name && c.arguments.Len() == 0:
		c.name += name // a name in pieces; a repeated one is no continuation
	}
	switch {
	case isString(arguments):
		c.arguments.WriteString(c.carry.add(arguments))
	case !isNull(arguments):
		c.arguments.Write(arguments) // an object where a string is due
	}
	return nil
}

// find gives the call that a fragment continues, nil for a new call. hasText
// says that the fragment brings a piece of the arguments.
func (l *callList) find(index, id, name string, hasText bool) *partialCall {
	if len(l.list) == 0 {
		return nil
	}
	last := l.list[len(l.list)-1]
	if index != "" {
		for i := len(l.list) - 1; i >= 0; i-- {
			c := l.list[i]
			if c.index != index {
				continue
			}
			// Some servers give every call of a reply the index 0.
			otherID := id != "" && c.id != "" && id != c.id
			if name != "" && (otherID || id == "" && hasText && c.complete()) {
				return nil
			}
			return c
		}
		return nil
	}
	if id != "" {
		for i := len(l.list) - 1; i >= 0; i-- {
			if l.list[i].id == id {
				return l.list[i]
			}
		}
		if last.id == "" && (name == "" || last.name == "") {
			return last
		}
	}
	switch {
	case name == "":
		// An id that changes with every fragment means nothing.
		if id == "" || !last.complete() {
			return last
		}
	case id == "" && name == last.name && last.arguments.Len() > 0 && !last.complete():
		return last // a server that repeats the name in every fragment
	}
	return nil
}

// complete reports whether the arguments are whole.
func (c *partialCall) complete() bool {
	s := strings.TrimSpace(c.arguments.String())
	return strings.HasSuffix(s, "}") && json.Valid([]byte(s))
}

// finish gives the calls. Where the server gave no id, or one that an earlier
// call of the reply has, an id is made from prefix.
func (l *callList) finish(prefix string) []ToolCall {
	var out []ToolCall
	seen := map[string]bool{}
	for _, c := range l.list {
		c.arguments.WriteString(c.carry.rest())
		if c.id == "" && c.name == "" && c.arguments.Len() == 0 {
			continue
		}
		id := c.id
		if id == "" || seen[id] {
			id = "call_" + prefix + "_" + strconv.Itoa(len(out))
		}
		seen[id] = true
		out = append(out, ToolCall{ID: id, Name: c.name, Arguments: c.arguments.String()})
	}
	return out
}
