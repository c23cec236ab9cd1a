package fakemodel

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// condition is what a "want" or "if" line says about a request.
type condition struct {
	line   int
	not    bool
	target string // last, any, system, tools, model, body, messages, images, after
	text   string
}

func parseCondition(rest string) (condition, error) {
	target, rest, _ := strings.Cut(rest, " ")
	text, err := stringToEnd(rest)
	if err != nil {
		return condition{}, err
	}
	switch target {
	case "last", "any", "system", "tools", "model", "body":
		if text == "" {
			return condition{}, fmt.Errorf("%s wants a text", target)
		}
	case "messages", "images":
		if _, err := strconv.Atoi(text); err != nil {
			return condition{}, err
		}
	case "after":
		if _, err := time.ParseDuration(text); err != nil {
			return condition{}, err
		}
	default:
		return condition{}, fmt.Errorf("unknown condition %q", target)
	}
	return condition{target: target, text: text}, nil
}

// check says why the condition does not hold for r, or "" if it does.
func (c condition) check(r *Request) string {
	holds, got := c.holds(r)
	if holds != c.not {
		return ""
	}
	verb := "want"
	if c.not {
		verb = "want-not"
	}
	return fmt.Sprintf("script line %d: %s %s %q; got %s", c.line, verb, c.target, c.text, shorten(got))
}

func (c condition) holds(r *Request) (ok bool, got string) {
	switch c.target {
	case "last":
		got = r.Last()
	case "any":
		for _, m := range r.Messages {
			got += m.Content + "\n"
		}
	case "system":
		got = r.System
	case "tools":
		for _, t := range r.Tools {
			ok = ok || t.Name == c.text
			got += t.Name + " "
		}
		return ok, got
	case "model":
		return r.Model == c.text, r.Model
	case "body":
		got = string(r.Body)
	case "messages":
		got = strconv.Itoa(len(r.Messages))
		return got == c.text, got
	case "images":
		got = strconv.Itoa(r.Images)
		return got == c.text, got
	case "after":
		least, err := time.ParseDuration(c.text)
		return err == nil && r.after >= least, r.after.String()
	}
	return strings.Contains(got, c.text), strconv.Quote(got)
}

// shorten keeps both ends of a long text.
func shorten(s string) string {
	const most = 2000
	if len(s) <= most {
		return s
	}
	return s[:most/2] + " ... " + s[len(s)-most/2:]
}
