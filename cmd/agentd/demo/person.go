package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// person answers the daemon's questions: whoever sits at the terminal, or with
// yes nobody.
type person struct {
	screen *screen
	input  *input
	yes    bool
	view   *view
}

// keys are the letters of a menu.
var keys = regexp.MustCompile(`\[[a-z]\]`)

// longDiff is how many lines of a change are shown at once.
const longDiff = 120

// confirm shows what a call will do and asks whether it may. Only a clear yes
// allows it; the end of the input ends the turn.
func (p *person) confirm(ctx context.Context, r *agent.ConfirmRequest) (tools.Answer, error) {
	p.view.review(r.ToolCallID)
	p.show(r)
	if p.yes {
		p.say(green, "allowed by --yes")
		return tools.Answer{Decision: tools.Allow}, nil
	}
	p.input.discard()
	for {
		p.screen.line(keys.ReplaceAllStringFunc(p.screen.fold("", "  ", p.menu(r)), func(k string) string { return p.screen.paint(bold, k) }))
		line, err := p.input.ask(ctx, p.screen, p.mark())
		if err != nil {
			return p.gone(err)
		}
		a, err := p.decide(ctx, r, line)
		if errors.Is(err, errAgain) {
			continue
		}
		if err != nil {
			return p.gone(err)
		}
		return a, nil
	}
}

// gone answers for a person who is not there any more.
func (p *person) gone(err error) (tools.Answer, error) {
	if errors.Is(err, io.EOF) {
		p.say(yellow, "the input has ended: rejected, and the turn with it")
		return tools.Answer{Decision: tools.Abort}, nil
	}
	return tools.Answer{}, err
}

// say confirms what was decided.
func (p *person) say(style, text string) { p.screen.lines(style, "  ", text) }

func (p *person) mark() string { return "  " + p.screen.paint(bold, ">") + " " }

// show shows what is to be decided.
func (p *person) show(r *agent.ConfirmRequest) {
	s := p.screen
	title := oneLine(r.Title)
	level := ""
	if r.Level == tools.Dangerous {
		level = "  " + s.paint(red, "dangerous")
	}
	s.line("\n  " + s.paint(yellow, s.marks.ask) + " " + s.paint(bold, title) + level)
	if r.Reason != "" {
		s.lines(yellow, "    ", r.Reason)
	}
	switch {
	case r.Command != nil:
		if c := plain(strings.TrimSpace(r.Command.Command)); c != title {
			s.line(s.fold("", "    ", c))
		}
		s.lines(dim, "    ", "in "+plain(r.Command.Cwd))
	case len(r.Changes) > 0:
		lines := p.changes(r)
		if len(lines) > longDiff {
			lines = append(lines[:longDiff:longDiff], s.paint(dim, fmt.Sprintf("  %s %d more lines: v shows them", s.marks.cut, len(lines)-longDiff)))
		}
		s.line(strings.Join(lines, "\n"))
	case r.Input != nil:
		for _, line := range inputLines(r.Input) {
			s.lines("", "    ", line)
		}
	}
}

// inputLines shows the arguments of a call, one a line in the order of names.
func inputLines(input any) []string {
	object, ok := input.(map[string]any)
	if !ok {
		return []string{inJSON(input)}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value, ok := object[name].(string)
		if !ok {
			value = inJSON(object[name])
		}
		out = append(out, name+": "+value)
	}
	return out
}

func inJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // it came as JSON
		return fmt.Sprint(v)
	}
	return string(b)
}

// changes shows all changes of a question.
func (p *person) changes(r *agent.ConfirmRequest) []string {
	var lines []string
	for _, c := range r.Changes {
		if len(r.Changes) > 1 {
			lines = append(lines, "  "+p.screen.paint(bold, plain(c.Path)))
		}
		lines = append(lines, p.screen.changeLines(c)...)
	}
	return lines
}

// menu lists the answers that this question has.
func (p *person) menu(r *agent.ConfirmRequest) string {
	items := []string{"[a]llow"}
	switch {
	case len(r.Grants) == 1:
		items = append(items, "[s]ession: "+oneLine(r.Grants[0].Label))
	case len(r.Grants) > 1:
		items = append(items, "[s]ession"+p.screen.marks.cut)
	}
	if byHunk(r) != nil {
		items = append(items, "[h]unks")
	}
	if p.editable(r) != nil {
		items = append(items, "[e]dit")
	}
	if len(r.Changes) > 0 {
		items = append(items, "[v]iew")
	}
	return strings.Join(append(items, "[r]eject", "[f]eedback", "[q]uit turn"), "  ")
}

// errAgain asks the same question again.
var errAgain = errors.New("again")

// decide understands a line. What is not understood decides nothing.
func (p *person) decide(ctx context.Context, r *agent.ConfirmRequest, line string) (tools.Answer, error) {
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	verb = strings.ToLower(verb)
	takesRest := verb == "f" || verb == "feedback" || verb == "s" || verb == "session" || verb == "h" || verb == "hunks"
	if rest != "" && !takesRest {
		verb = "?"
	}
	switch verb {
	case "a", "allow", "y", "yes":
		p.say(green, "allowed")
		return tools.Answer{Decision: tools.Allow}, nil
	case "s", "session":
		return p.grant(ctx, r, rest)
	case "h", "hunks":
		if c := byHunk(r); c != nil {
			return p.hunks(ctx, c, rest)
		}
	case "e", "edit":
		if c := p.editable(r); c != nil {
			return p.edit(ctx, c)
		}
	case "v", "view":
		if len(r.Changes) > 0 {
			p.screen.line(strings.Join(p.changes(r), "\n"))
			return tools.Answer{}, errAgain
		}
	case "r", "reject", "n", "no":
		p.say(yellow, "rejected")
		return tools.Answer{Decision: tools.Reject}, nil
	case "f", "feedback":
		return p.feedback(ctx, rest)
	case "q", "quit":
		p.say(yellow, "rejected, and the turn ended")
		return tools.Answer{Decision: tools.Abort}, nil
	case "":
		return tools.Answer{}, errAgain
	}
	p.say(dim, "That is none of these; type one of the letters.")
	return tools.Answer{}, errAgain
}

// grant allows for the session. Of several permissions the person chooses one.
func (p *person) grant(ctx context.Context, r *agent.ConfirmRequest, which string) (tools.Answer, error) {
	if len(r.Grants) == 0 {
		p.say(dim, "This is asked each time.")
		return tools.Answer{}, errAgain
	}
	g := r.Grants[0]
	if len(r.Grants) > 1 {
		if which == "" {
			for i, g := range r.Grants {
				p.screen.lines("", "    ", fmt.Sprintf("%d  %s", i+1, oneLine(g.Label)))
			}
			var err error
			if which, err = p.input.ask(ctx, p.screen, "  which? "); err != nil {
				return tools.Answer{}, err
			}
		}
		n, ok := number(which, len(r.Grants))
		if !ok {
			return tools.Answer{}, errAgain
		}
		g = r.Grants[n-1]
	}
	p.say(green, "allowed for this session: "+oneLine(g.Label))
	return tools.Answer{Decision: tools.AllowSession, GrantID: g.ID}, nil
}

// feedback rejects, and tells the model why.
func (p *person) feedback(ctx context.Context, text string) (tools.Answer, error) {
	if text == "" {
		var err error
		if text, err = p.input.ask(ctx, p.screen, "  what should the model know? "); err != nil {
			return tools.Answer{}, err
		}
	}
	if text == "" {
		return tools.Answer{}, errAgain
	}
	p.say(yellow, "rejected; the model is told: "+text)
	return tools.Answer{Decision: tools.Reject, Feedback: text}, nil
}

// byHunk is the change whose hunks can be chosen, if there is one.
func byHunk(r *agent.ConfirmRequest) *editstate.Change {
	if len(r.Changes) == 1 && len(r.Changes[0].Hunks) > 1 {
		return r.Changes[0]
	}
	return nil
}
