package openai

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxName is the longest name that servers accept.
const maxName = 64

// maxWrapped bounds what is kept of arguments that are no JSON.
const maxWrapped = 4096

// validName makes a tool name that servers accept of one that a model made up:
// the history has to be sent back.
func validName(name string) string {
	ok := name != "" && len(name) <= maxName
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		ok = false
		return '_'
	}, name)
	switch {
	case ok:
		return name
	case clean == "":
		return "unnamed"
	}
	return clean[:min(len(clean), maxName)]
}

// validArguments makes a JSON object of arguments: servers refuse a history
// that holds anything else. A model that sees what it sent can correct it, so
// the text is kept where it can be.
func validArguments(arguments string) string {
	arguments = strings.TrimSpace(arguments)
	if arguments == "" || arguments == "null" {
		return "{}"
	}
	valid := utf8.ValidString(arguments) && json.Valid([]byte(arguments))
	if valid && arguments[0] == '{' {
		return arguments
	}
	if inner := ""; valid && json.Unmarshal([]byte(arguments), &inner) == nil {
		// An object that was encoded twice.
		if inner = strings.TrimSpace(inner); strings.HasPrefix(inner, "{") && json.Valid([]byte(inner)) {
			return inner
		}
	}
	if len(arguments) > maxWrapped {
		arguments = arguments[:maxWrapped] + " ..."
	}
	b, err := json.Marshal(map[string]string{"invalid_arguments": strings.ToValidUTF8(arguments, "\ufffd")})
	if err != nil {
		return "{}"
	}
	return string(b)
}
