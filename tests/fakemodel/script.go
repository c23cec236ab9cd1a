package fakemodel

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// script is a parsed script.
type script struct {
	settings settings
	// conversations holds the unnamed conversation first.
	conversations []*conversation
}

// settings are the "set" lines.
type settings struct {
	lax       bool
	content   string // "", "string" or "null"
	reasoning string // "", "required" or "rejected"
	limit     int
	key       string
}

// conversation is a list of replies and how far it has been played.
type conversation struct {
	name    string
	replies []*reply
	next    int
	used    int // how often replies[next] has answered
}

// reply is what stands between two separators.
type reply struct {
	line    int
	steps   []step
	wants   []condition
	ifs     []condition
	repeat  int  // -1 for ever
	back    int  // so many replies further back it goes on
	cycle   bool // a "back" leads over this reply
	status  int
	header  http.Header
	body    *string
	finish  string // "" for the default
	usage   *usage
	noUsage bool
	hasCall bool
	form    form
}

// step is one thing that a reply sends or does, in order.
type step struct {
	kind   string // text, thought, call, delta, delay, meet, stall, cut, end, raw
	text   string // text; arguments of a call; a delta; raw bytes
	id     string // of a call, "" to make one up
	name   string // of a call
	pieces int
	wait   time.Duration
}

type usage struct{ in, out, cached, reasoning int }

// parse reads a script.
func parse(src string) (*script, error) {
	conv := &conversation{}
	s := &script{conversations: []*conversation{conv}}
	p := &parser{script: s}
	for i, line := range strings.Split(src, "\n") {
		line = strings.TrimSpace(line)
		p.line = i + 1
		var err error
		switch name, isConv := strings.CutPrefix(line, "== "); {
		case line == "" || line[0] == '#':
		case line == "---":
			p.reply = nil
		case isConv:
			p.reply = nil
			conv = &conversation{name: strings.TrimSpace(name)}
			s.conversations = append(s.conversations, conv)
		default:
			word, rest, _ := strings.Cut(line, " ")
			rest = strings.TrimSpace(rest)
			if word == "set" {
				err = s.settings.set(rest)
				break
			}
			if p.reply == nil {
				p.reply = &reply{line: p.line, repeat: 1, header: http.Header{}}
				p.pieces = 1
				conv.replies = append(conv.replies, p.reply)
			}
			err = p.directive(word, rest)
		}
		if err != nil {
			return nil, fmt.Errorf("script line %d: %w", p.line, err)
		}
	}
	for _, c := range s.conversations {
		for i, r := range c.replies {
			if r.back > i {
				return nil, fmt.Errorf("script line %d: back %d leads out of the script", r.line, r.back)
			}
			for k := i - r.back; r.back > 0 && k <= i; k++ {
				c.replies[k].cycle = true
			}
		}
	}
	return s, nil
}

func (s *settings) set(rest string) error {
	name, value, _ := strings.Cut(rest, " ")
	value, err := stringToEnd(value)
	if err != nil {
		return err
	}
	switch {
	case rest == "strict off":
		s.lax = true
	case name == "content" && (value == "string" || value == "null"):
		s.content = value
	case name == "reasoning" && (value == "required" || value == "rejected"):
		s.reasoning = value
	case name == "limit":
		s.limit, err = strconv.Atoi(value)
	case name == "key":
		s.key = value
	default:
		err = fmt.Errorf("unknown setting %q", rest)
	}
	return err
}

// stringToEnd reads a string that ends its line: Go-quoted or bare.
func stringToEnd(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '"' && s[0] != '`' {
		return s, nil
	}
	v, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Errorf("bad string %s", s)
	}
	return v, nil
}

// word cuts a first word or Go-quoted string off s.
func word(s string) (first, rest string, err error) {
	if s != "" && (s[0] == '"' || s[0] == '`') {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", fmt.Errorf("bad string %s", s)
		}
		first, err = strconv.Unquote(q)
		return first, strings.TrimSpace(s[len(q):]), err
	}
	first, rest, _ = strings.Cut(s, " ")
	return first, strings.TrimSpace(rest), nil
}
