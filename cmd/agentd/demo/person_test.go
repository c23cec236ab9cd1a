package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

func testPerson(s *screen, typed string) *person {
	return &person{screen: s, view: newView(s, "/"), input: &input{lines: bufio.NewReader(strings.NewReader(typed))}}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"1", "[true false false]"}, {"1,3", "[true false true]"}, {"3 1", "[true false true]"}, {"2-3", "[false true true]"}, {"", "[false false false]"},
		{"0", ""}, {"4", ""}, {"3-1", ""}, {"1-", ""}, {"-", ""}, {"x", ""}, {"1,,2", "[true true false]"},
	} {
		have, err := numbers(c.list, 3)
		if text := fmt.Sprint(have); (err == nil) != (c.want != "") || err == nil && text != c.want {
			t.Errorf("%q: %s %v", c.list, text, err)
		}
	}
}

// TestDecide reads the lines that a person may type. Only clear words allow.
func TestDecide(t *testing.T) {
	r := &agent.ConfirmRequest{Changes: []*editstate.Change{change()}, Grants: []tools.Grant{{ID: "g1", Label: "one"}, {ID: "g2", Label: "two"}}}
	allow := tools.Answer{Decision: tools.Allow}
	reject := tools.Answer{Decision: tools.Reject}
	hunks := func(h1, h2 bool) tools.Answer {
		return tools.Answer{Decision: tools.Allow, Hunks: map[string]bool{"h1": h1, "h2": h2}}
	}
	for _, c := range []struct {
		line, more string
		want       tools.Answer // without a decision: asked again
	}{
		{"a", "", allow}, {"ALLOW", "", allow}, {"y", "", allow}, {"yes", "", allow},
		{"r", "", reject}, {"n", "", reject}, {"no", "", reject},
		{"q", "", tools.Answer{Decision: tools.Abort}},
		{"s 2", "", tools.Answer{Decision: tools.AllowSession, GrantID: "g2"}},
		{"s", "1\n", tools.Answer{Decision: tools.AllowSession, GrantID: "g1"}},
		{"s", "\n", tools.Answer{}}, {"s 3", "", tools.Answer{}}, {"s x", "", tools.Answer{}},
		{"f do it", "", tools.Answer{Decision: tools.Reject, Feedback: "do it"}},
		{"f", "do it\n", tools.Answer{Decision: tools.Reject, Feedback: "do it"}},
		{"f", "\n", tools.Answer{}},
		{"h 2", "", hunks(false, true)}, {"h 1,2", "", hunks(true, true)}, {"h 3", "", tools.Answer{}},
		{"h", "n\ny\n", hunks(false, true)}, {"h", "y\nd\n", hunks(true, false)}, {"h", "maybe\nr\n", hunks(true, true)}, {"h", "d\n", reject},
		{"", "", tools.Answer{}}, {"x", "", tools.Answer{}}, {"a little", "", tools.Answer{}}, {"yes but no", "", tools.Answer{}}, {"no way", "", tools.Answer{}},
		{"e", "", tools.Answer{}}, {"v", "", tools.Answer{}},
	} {
		s, out := testScreen(0)
		have, err := testPerson(s, c.more).decide(t.Context(), r, c.line)
		if (err != nil) != (c.want.Decision == "") || !reflect.DeepEqual(have, c.want) {
			t.Errorf("%q %q: %+v %v\n%s", c.line, c.more, have, err, out)
		}
	}
}

// TestDecideWithout leaves out what a question does not offer.
func TestDecideWithout(t *testing.T) {
	r := &agent.ConfirmRequest{Command: &tools.Command{Command: "ls", Cwd: "/"}}
	for _, line := range []string{"s", "s 1", "h", "h 1", "v", "e"} {
		s, _ := testScreen(0)
		if have, err := testPerson(s, "").decide(t.Context(), r, line); err == nil {
			t.Errorf("%q: %+v", line, have)
		}
	}
	s, _ := testScreen(0)
	if have := testPerson(s, "").menu(r); have != "[a]llow  [r]eject  [f]eedback  [q]uit turn" {
		t.Error(have)
	}
}

// TestWithdrawn closes a question that the daemon takes back.
func TestWithdrawn(t *testing.T) {
	s, _ := testScreen(0)
	p := testPerson(s, "")
	silent, w := io.Pipe()
	defer w.Close()
	p.input.lines = bufio.NewReader(silent)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := p.confirm(ctx, &agent.ConfirmRequest{Title: "x"}); err == nil {
		t.Errorf("%+v", a)
	}
	if a, err := p.ask(ctx, &agent.AskRequest{Questions: []tools.Question{{ID: "q1"}}}); err == nil {
		t.Errorf("%+v", a)
	}
}

func TestReadAnswer(t *testing.T) {
	options := []tools.Option{{ID: "o1", Label: "A"}, {ID: "o2", Label: "B"}}
	one := tools.Question{Options: options, AllowText: true}
	many := tools.Question{Options: options, Multi: true}
	text := tools.Question{AllowText: true}
	for _, c := range []struct {
		q    tools.Question
		line string
		want tools.QuestionAnswer
		bad  bool
	}{
		{one, "2", tools.QuestionAnswer{Options: []string{"o2"}}, false},
		{one, "neither of them", tools.QuestionAnswer{Text: "neither of them"}, false},
		{one, "1,2", tools.QuestionAnswer{}, true}, {one, "3", tools.QuestionAnswer{}, true}, {one, "", tools.QuestionAnswer{}, true},
		{many, "2,1", tools.QuestionAnswer{Options: []string{"o1", "o2"}}, false},
		{many, "both", tools.QuestionAnswer{}, true}, {many, ",", tools.QuestionAnswer{}, true},
		{text, "42", tools.QuestionAnswer{Text: "42"}, false},
	} {
		have, err := readAnswer(c.q, c.line)
		if (err != nil) != c.bad || err == nil && !reflect.DeepEqual(have, c.want) {
			t.Errorf("%q: %+v %v", c.line, have, err)
		}
	}
}

// TestShowInput shows the arguments of a call that has neither changes nor a command.
func TestShowInput(t *testing.T) {
	s, out := testScreen(0)
	testPerson(s, "").show(&agent.ConfirmRequest{Title: "Start?", Level: tools.Dangerous, Reason: "why", Input: map[string]any{
		"b": map[string]any{"starts": "npx x"}, "a": "text\x1b[31m", "n": 7.0}})
	for _, want := range []string{"a: text", `b: {"starts":"npx x"}`, "n: 7"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out.String(), "\x1b[31mx") {
		t.Error("a code for terminals came through")
	}
}
