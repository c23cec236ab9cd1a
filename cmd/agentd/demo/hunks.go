package demo

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// hunks lets the person choose: by a list such as "1,3", or one by one.
func (p *person) hunks(ctx context.Context, c *editstate.Change, list string) (tools.Answer, error) {
	var chosen []bool
	var err error
	if list != "" {
		if chosen, err = numbers(list, len(c.Hunks)); err != nil {
			p.say(dim, err.Error())
			return tools.Answer{}, errAgain
		}
	} else if chosen, err = p.eachHunk(ctx, c); err != nil {
		return tools.Answer{}, err
	}
	answer := tools.Answer{Decision: tools.Allow, Hunks: map[string]bool{}}
	var taken []string
	for i, h := range c.Hunks {
		answer.Hunks[h.ID] = chosen[i]
		if chosen[i] {
			taken = append(taken, fmt.Sprint(i+1))
		}
	}
	switch len(taken) {
	case 0:
		p.say(yellow, "rejected")
		return tools.Answer{Decision: tools.Reject}, nil
	case len(c.Hunks):
		p.say(green, "allowed")
	default:
		p.say(green, fmt.Sprintf("allowed: hunk %s of %d", strings.Join(taken, ", "), len(c.Hunks)))
	}
	return answer, nil
}

// eachHunk asks about one hunk after the other.
func (p *person) eachHunk(ctx context.Context, c *editstate.Change) ([]bool, error) {
	chosen := make([]bool, len(c.Hunks))
	for i := 0; i < len(c.Hunks); {
		p.screen.line(strings.Join(p.screen.diff(c, i, true), "\n"))
		line, err := p.input.ask(ctx, p.screen, fmt.Sprintf("  hunk %d? [y]es  [n]o  all the [r]est  [d]one: ", i+1))
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(line) {
		case "y", "yes":
			chosen[i] = true
			i++
		case "n", "no":
			i++
		case "r", "rest":
			for ; i < len(chosen); i++ {
				chosen[i] = true
			}
		case "d", "done":
			return chosen, nil
		}
	}
	return chosen, nil
}

// number reads a number from 1 to limit.
func number(s string, limit int) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n >= 1 && n <= limit
}

// numbers reads a list of numbers from 1 to limit: "1,3", "1 3", "2-4".
func numbers(list string, limit int) ([]bool, error) {
	chosen := make([]bool, limit)
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, isRange := strings.Cut(word, "-")
		if !isRange {
			to = from
		}
		a, ok1 := number(from, limit)
		b, ok2 := number(to, limit)
		if !ok1 || !ok2 || a > b {
			return nil, fmt.Errorf("%q is not among 1 to %d", word, limit)
		}
		for n := a; n <= b; n++ {
			chosen[n-1] = true
		}
	}
	return chosen, nil
}
