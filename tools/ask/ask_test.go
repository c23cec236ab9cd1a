package ask

import (
	"context"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

// TestAnswers: what the model is told of each answer, and that an answer which
// does not fit the questions is no answer.
func TestAnswers(t *testing.T) {
	answered := func(id string, a tools.QuestionAnswer) tools.AskAnswer {
		return tools.AskAnswer{Outcome: tools.Answered, Answers: map[string]tools.QuestionAnswer{id: a}}
	}
	for _, c := range []struct {
		name   string
		answer tools.AskAnswer
		want   string
		fails  bool
	}{
		{"option", answered("q1", tools.QuestionAnswer{Options: []string{"o2"}}), "-> two\n", false},
		{"text", answered("q1", tools.QuestionAnswer{Text: " my own "}), "-> my own\n", false},
		{"both", answered("q1", tools.QuestionAnswer{Options: []string{"o1"}, Text: "but"}), "-> one; but\n", false},
		{"several", answered("q2", tools.QuestionAnswer{Options: []string{"o2", "o1", "o2"}}), "-> a; b\n", false},
		{"nothing", tools.AskAnswer{Outcome: tools.Answered}, "(no answer)", false},
		{"declined", tools.AskAnswer{Outcome: tools.Declined}, "chose not to answer", false},
		{"dismissed", tools.AskAnswer{Outcome: tools.Dismissed}, "closed the question", false},
		{"no outcome", tools.AskAnswer{}, "unknown outcome", true},
		{"unknown question", answered("q9", tools.QuestionAnswer{Text: "x"}), "not asked", true},
		{"unknown option", answered("q1", tools.QuestionAnswer{Options: []string{"o7"}}), "not offered", true},
		{"two for one", answered("q1", tools.QuestionAnswer{Options: []string{"o1", "o2"}}), "several options", true},
		{"text not offered", answered("q2", tools.QuestionAnswer{Text: "x"}), "not offered", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			reg, err := tools.NewRegistry(New())
			if err != nil {
				t.Fatal(err)
			}
			env := &tools.Env{Ask: func(context.Context, string, []tools.Question) (tools.AskAnswer, error) { return c.answer, nil }}
			d := &tools.Dispatcher{Registry: reg, Gate: openGate{}, Env: env}
			r := d.Run(t.Context(), &tools.Invocation{ID: "c", Name: "ask_user", Args: `{"questions":[
				{"question":"Which?","options":[{"label":"one"},{"label":"two"}]},
				{"question":"What of it?","options":[{"label":"a"},{"label":"b"}],"multi":true,"allow_text":false}]}`})
			if (r.Error != nil) != c.fails || !strings.Contains(r.Text, c.want) {
				t.Errorf("%q", r.Text)
			}
		})
	}
}

type openGate struct{}

func (openGate) Judge(*tools.Request) tools.Verdict { return tools.Verdict{Ruling: tools.Run} }

func (openGate) Confirm(context.Context, *tools.Request) (tools.Answer, error) {
	return tools.Answer{Decision: tools.Allow}, nil
}
