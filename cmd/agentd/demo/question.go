package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/tools"
)

// ask asks the person the model's questions.
func (p *person) ask(ctx context.Context, r *agent.AskRequest) (tools.AskAnswer, error) {
	answers := map[string]tools.QuestionAnswer{}
	for _, q := range r.Questions {
		p.showQuestion(q)
		if p.yes {
			answers[q.ID] = p.firstAnswer(q)
			continue
		}
		p.input.discard()
		for {
			line, err := p.input.ask(ctx, p.screen, p.mark())
			switch {
			case errors.Is(err, io.EOF):
				p.say(yellow, "the input has ended: not answered")
				return tools.AskAnswer{Outcome: tools.Dismissed}, nil
			case err != nil:
				return tools.AskAnswer{}, err
			case line == "-":
				p.say(yellow, "not answered")
				return tools.AskAnswer{Outcome: tools.Declined}, nil
			}
			a, err := readAnswer(q, line)
			if err != nil {
				p.say(dim, err.Error())
				continue
			}
			answers[q.ID] = a
			break
		}
	}
	return tools.AskAnswer{Outcome: tools.Answered, Answers: answers}, nil
}

func (p *person) showQuestion(q tools.Question) {
	s := p.screen
	s.line("\n  " + s.paint(yellow, s.marks.ask) + " " + s.paint(bold, strings.TrimLeft(s.fold("", "    ", q.Question), " ")))
	label := 0
	for _, o := range q.Options {
		label = max(label, textWidth(oneLine(o.Label)))
	}
	for i, o := range q.Options {
		text := oneLine(o.Label)
		if o.Description != "" {
			text += strings.Repeat(" ", label-textWidth(text)+2) + s.paint(dim, oneLine(o.Description))
		}
		s.line(fmt.Sprintf("    %s  %s", s.paint(bold, fmt.Sprint(i+1)), text))
	}
	s.lines(dim, "  ", how(q))
}

// how says how a question is answered.
func how(q tools.Question) string {
	var ways []string
	switch {
	case len(q.Options) > 0 && q.Multi:
		ways = append(ways, "numbers (1,3)")
	case len(q.Options) > 0:
		ways = append(ways, "a number")
	}
	if q.AllowText {
		ways = append(ways, "your own words")
	}
	return strings.Join(append(ways, "- for no answer"), ", ")
}

// readAnswer reads the person's answer to a question.
func readAnswer(q tools.Question, line string) (tools.QuestionAnswer, error) {
	var a tools.QuestionAnswer
	if line == "" {
		return a, errors.New("type " + how(q))
	}
	if len(q.Options) > 0 && strings.Trim(line, "0123456789, -") == "" {
		chosen, err := numbers(line, len(q.Options))
		if err != nil {
			return a, err
		}
		for i, yes := range chosen {
			if yes {
				a.Options = append(a.Options, q.Options[i].ID)
			}
		}
		if len(a.Options) == 1 || q.Multi && len(a.Options) > 0 {
			return a, nil
		}
		return a, errors.New("one number, please")
	}
	if !q.AllowText {
		return a, errors.New("type " + how(q))
	}
	a.Text = line
	return a, nil
}

// firstAnswer is the answer of --yes.
func (p *person) firstAnswer(q tools.Question) tools.QuestionAnswer {
	if len(q.Options) == 0 {
		const text = "Decide by yourself."
		p.say(green, text+" (--yes)")
		return tools.QuestionAnswer{Text: text}
	}
	p.say(green, "1, by --yes: "+oneLine(q.Options[0].Label))
	return tools.QuestionAnswer{Options: []string{q.Options[0].ID}}
}
