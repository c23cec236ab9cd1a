package fakemodel

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parser is where parse stands.
type parser struct {
	script *script
	line   int
	reply  *reply
	pieces int // from the last "chunks"
}

// directive adds one line to the current reply.
func (p *parser) directive(name, rest string) error {
	r := p.reply
	switch name {
	case "text", "thought", "raw", "data":
		text, err := stringToEnd(rest)
		if err != nil {
			return err
		}
		if name == "data" {
			name, text = "raw", "data: "+text+"\n\n"
		}
		r.steps = append(r.steps, step{kind: name, text: text, pieces: p.pieces})
	case "call":
		return p.call(rest)
	case "delta":
		if !json.Valid([]byte(rest)) {
			return fmt.Errorf("delta wants JSON")
		}
		r.hasCall = r.hasCall || strings.Contains(rest, `"tool_calls"`)
		r.steps = append(r.steps, step{kind: name, text: rest})
	case "meet":
		st := step{kind: name}
		r.steps = append(r.steps, st)
		return positive(rest, &r.steps[len(r.steps)-1].pieces)
	case "lines", "packets", "gzip":
		return r.form.set(name, rest)
	case "stall", "cut", "end":
		r.steps = append(r.steps, step{kind: name})
	case "delay":
		d, err := time.ParseDuration(rest)
		if err != nil {
			return err
		}
		r.steps = append(r.steps, step{kind: "delay", wait: d})
	case "chunks":
		return positive(rest, &p.pieces)
	case "repeat":
		return positive(rest, &r.repeat)
	case "forever":
		r.repeat = -1
	case "back":
		return positive(rest, &r.back)
	case "status":
		return positive(rest, &r.status)
	case "header":
		k, v, ok := strings.Cut(rest, ":")
		if !ok {
			return fmt.Errorf("header wants NAME: VALUE")
		}
		r.header.Add(strings.TrimSpace(k), strings.TrimSpace(v))
	case "body":
		text, err := stringToEnd(rest)
		r.body = &text
		return err
	case "finish":
		r.finish = rest
	case "usage":
		return p.usage(rest)
	case "want", "want-not", "if", "if-not":
		c, err := parseCondition(rest)
		if err != nil {
			return err
		}
		c.line = p.line
		c.not = strings.HasSuffix(name, "-not")
		if strings.HasPrefix(name, "want") {
			r.wants = append(r.wants, c)
		} else {
			r.ifs = append(r.ifs, c)
		}
	default:
		return fmt.Errorf("unknown directive %q", name)
	}
	return nil
}

// call reads "[id=ID] NAME [ARGUMENTS]".
func (p *parser) call(rest string) error {
	s := step{kind: "call", pieces: p.pieces}
	if after, ok := strings.CutPrefix(rest, "id="); ok {
		id, r, err := word(after)
		if err != nil {
			return err
		}
		s.id, rest = id, r
	}
	name, rest, err := word(rest)
	if err != nil {
		return err
	}
	s.name = name
	if s.text, err = stringToEnd(rest); err != nil {
		return err
	}
	if rest == "" {
		s.text = "{}"
	}
	p.reply.hasCall = true
	p.reply.steps = append(p.reply.steps, s)
	return nil
}

func (p *parser) usage(rest string) error {
	f := strings.Fields(rest)
	if rest == "none" {
		p.reply.noUsage = true
		return nil
	}
	if len(f) < 2 {
		return fmt.Errorf("usage wants IN OUT")
	}
	u := &usage{}
	for i, w := range f {
		to := []*int{&u.in, &u.out}[min(i, 1)]
		if i >= 2 {
			k, v, _ := strings.Cut(w, "=")
			switch w = v; k {
			case "cached":
				to = &u.cached
			case "reasoning":
				to = &u.reasoning
			default:
				return fmt.Errorf("unknown usage field %q", k)
			}
		}
		n, err := strconv.Atoi(w)
		if err != nil {
			return err
		}
		*to = n
	}
	p.reply.usage = u
	return nil
}

// set reads "lines crlf", "lines cr", "packets one", "packets N" and "gzip".
func (f *form) set(name, rest string) error {
	ends := map[string]string{"crlf": "\r\n", "cr": "\r"}
	switch {
	case name == "gzip" && rest == "":
		f.gzip = true
	case name == "lines" && ends[rest] != "":
		f.lineEnd = ends[rest]
	case name == "packets" && rest == "one":
		f.pieces = -1
	case name == "packets":
		return positive(rest, &f.pieces)
	default:
		return fmt.Errorf("unknown: %s %s", name, rest)
	}
	return nil
}

func positive(s string, to *int) error {
	n, err := strconv.Atoi(s)
	if err == nil && n < 1 {
		err = fmt.Errorf("%d is not positive", n)
	}
	if err == nil {
		*to = n
	}
	return err
}
