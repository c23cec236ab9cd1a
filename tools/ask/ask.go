// Package ask is the tool that asks the user.
package ask

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed ask.md
var askText string

// Params are the arguments of ask_user.
type Params struct {
	Questions []Question `json:"questions" jsonschema:"minItems=1,maxItems=4"`
}

// Question is one question.
type Question struct {
	Question  string   `json:"question" jsonschema:"minLength=1"`
	Header    string   `json:"header,omitempty" jsonschema:"description=Two or three words for a tab or title."`
	Options   []Option `json:"options,omitempty" jsonschema:"maxItems=10,description=Answers to choose from; the user can type another one."`
	Multi     bool     `json:"multi,omitempty" jsonschema:"default=false,description=Several options may be chosen."`
	AllowText *bool    `json:"allow_text,omitempty" jsonschema:"description=Whether the user may type an answer; true if left out."`
}

// Option is one answer.
type Option struct {
	Label       string `json:"label" jsonschema:"minLength=1"`
	Description string `json:"description,omitempty"`
}

// New makes ask_user.
func New() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "ask_user", Title: "Ask the user", Description: askText,
		Kind: tools.KindThink, Level: tools.Safe, NeedsAsk: true,
		Traits: tools.Traits{ReadOnly: true},
	}, tools.Handler[Params]{
		Plan: func(_ context.Context, _ *tools.Call, p *Params) (*tools.Plan, error) {
			return &tools.Plan{Title: p.Questions[0].Question}, nil
		},
		Run: run,
	})
}

func run(ctx context.Context, c *tools.Call, p *Params) (*tools.Result, error) {
	questions := make([]tools.Question, len(p.Questions))
	for i, q := range p.Questions {
		out := tools.Question{ID: fmt.Sprintf("q%d", i+1), Header: q.Header, Question: q.Question, Multi: q.Multi,
			AllowText: len(q.Options) == 0 || q.AllowText == nil || *q.AllowText}
		for k, o := range q.Options {
			out.Options = append(out.Options, tools.Option{ID: fmt.Sprintf("o%d", k+1), Label: o.Label, Description: o.Description})
		}
		questions[i] = out
	}
	a, err := c.Env.Ask(ctx, c.ID, questions)
	if err == nil {
		err = check(questions, a)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &tools.Error{Code: tools.CodeUnavailable, Message: "the user could not be asked: " + err.Error(),
			Hint: "Decide by yourself, or end your turn with the question.", Err: err}
	}
	switch a.Outcome {
	case tools.Declined:
		return tools.Text("The user read the question and chose not to answer. Go on with your own judgement, or end your turn."), nil
	case tools.Dismissed:
		return tools.Text("The user closed the question without an answer. Do not ask it again; go on with the safest choice, or end your turn."), nil
	}
	var out strings.Builder
	for _, q := range questions {
		fmt.Fprintf(&out, "%s\n-> %s\n", q.Question, answerText(q, a.Answers[q.ID]))
	}
	r := tools.Text(out.String())
	r.Data = a
	return r, nil
}

// check reports an answer that does not fit the questions: it is the editor's
// mistake, and guessing what the user meant would be ours.
func check(questions []tools.Question, a tools.AskAnswer) error {
	switch a.Outcome {
	case tools.Answered:
	case tools.Declined, tools.Dismissed:
		return nil
	default:
		return fmt.Errorf("the editor answered with an unknown outcome %q", a.Outcome)
	}
	for id, given := range a.Answers {
		i := slices.IndexFunc(questions, func(q tools.Question) bool { return q.ID == id })
		if i < 0 {
			return fmt.Errorf("the editor answered a question %q that was not asked", id)
		}
		q := questions[i]
		for _, o := range given.Options {
			if !slices.ContainsFunc(q.Options, func(x tools.Option) bool { return x.ID == o }) {
				return fmt.Errorf("the editor answered %q with an option %q that was not offered", id, o)
			}
		}
		if len(given.Options) > 1 && !q.Multi {
			return fmt.Errorf("the editor answered %q with several options", id)
		}
		if strings.TrimSpace(given.Text) != "" && !q.AllowText {
			return fmt.Errorf("the editor answered %q with a text, which was not offered", id)
		}
	}
	return nil
}

// answerText writes the chosen labels and the typed text.
func answerText(q tools.Question, a tools.QuestionAnswer) string {
	var parts []string
	for _, o := range q.Options {
		if slices.Contains(a.Options, o.ID) {
			parts = append(parts, o.Label)
		}
	}
	if t := strings.TrimSpace(a.Text); t != "" {
		parts = append(parts, t)
	}
	if len(parts) == 0 {
		return "(no answer)"
	}
	return strings.Join(parts, "; ")
}
