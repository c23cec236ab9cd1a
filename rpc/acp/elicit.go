package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/tools"
)

// elicitParams ask for the fields of a form.
type elicitParams struct {
	SessionID string `json:"sessionId"`
	CallID    string `json:"toolCallId,omitempty"`
	Mode      string `json:"mode"` // "form"
	Message   string `json:"message"`
	Schema    form   `json:"requestedSchema"`
}

type form struct {
	Type       string           `json:"type"` // "object"
	Properties map[string]field `json:"properties"`
	Required   []string         `json:"required,omitempty"`
}

// field is a text, a choice (OneOf) or several choices (Type "array", Items).
type field struct {
	Type        string   `json:"type"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	OneOf       []choice `json:"oneOf,omitempty"`
	Items       *choices `json:"items,omitempty"`
	MaxLength   int      `json:"maxLength,omitempty"`
	Meta        *belongs `json:"_meta,omitempty"`
}

// belongs marks a field for an answer of the person's own as part of the choice
// before it, in the way that agents have agreed on: clients show the two as one
// question.
type belongs struct {
	Question struct {
		ID string `json:"questionId"`
	} `json:"_askUserQuestionCustomAnswer"`
}

type choices struct {
	AnyOf []choice `json:"anyOf"`
}

type choice struct {
	Const       string `json:"const"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
}

type elicitAnswer struct {
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content"`
	Meta    json.RawMessage `json:"_meta"`
}

// elicit shows a form. The content is nil unless the person has sent it.
func (sess *session) elicit(ctx context.Context, p elicitParams) (tools.Outcome, map[string]json.RawMessage, error) {
	p.Mode, p.Schema.Type = "form", "object"
	var a elicitAnswer
	if err := sess.srv.conn.Call(ctx, "elicitation/create", p, &a); err != nil {
		return "", nil, err
	}
	switch a.Action {
	case "accept":
		content := map[string]json.RawMessage{}
		if len(a.Content) > 0 && string(a.Content) != "null" {
			if err := json.Unmarshal(a.Content, &content); err != nil {
				return "", nil, fmt.Errorf("the editor's answer to elicitation/create cannot be read: content: %w", err)
			}
		}
		for name := range content {
			if _, asked := p.Schema.Properties[name]; !asked {
				return "", nil, fmt.Errorf("the editor answered with a field %q that was not asked for", name)
			}
		}
		return tools.Answered, content, nil
	case "decline":
		return tools.Declined, nil, nil
	case "cancel":
		return tools.Dismissed, nil, nil
	}
	return "", nil, fmt.Errorf("the editor answered with an unknown action %q", a.Action)
}

// otherText ends the name of the field for an answer of the person's own.
const otherText = "_other"

// Ask implements agent.Client.
func (sess *session) Ask(ctx context.Context, r *agent.AskRequest) (tools.AskAnswer, error) {
	if sess.srv.capabilities().Elicitation.Form == nil {
		return sess.choose(ctx, r)
	}
	p := elicitParams{SessionID: r.SessionID, CallID: r.ToolCallID, Schema: form{Properties: map[string]field{}}}
	var ask []string
	for _, q := range r.Questions {
		ask = append(ask, q.Question)
		addFields(&p.Schema, q)
	}
	p.Message = strings.Join(ask, "\n")
	outcome, content, err := sess.elicit(ctx, p)
	if err != nil || outcome != tools.Answered {
		return tools.AskAnswer{Outcome: outcome}, err
	}
	a := tools.AskAnswer{Outcome: tools.Answered, Answers: map[string]tools.QuestionAnswer{}}
	for _, q := range r.Questions {
		given, err := readFields(q, content)
		if err != nil {
			return tools.AskAnswer{}, err
		}
		a.Answers[q.ID] = given
	}
	return a, nil
}

// addFields adds the fields of a question: one for its options or its text, and
// one more where the person may answer otherwise.
func addFields(f *form, q tools.Question) {
	title := q.Header
	if title == "" {
		title = q.Question
	}
	if len(q.Options) == 0 {
		f.Properties[q.ID] = field{Type: "string", Title: title, Description: q.Question}
		f.Required = append(f.Required, q.ID)
		return
	}
	var list []choice
	for _, o := range q.Options {
		list = append(list, choice{o.ID, o.Label, o.Description})
	}
	one := field{Type: "string", Title: title, Description: q.Question, OneOf: list}
	if q.Multi {
		one = field{Type: "array", Title: title, Description: q.Question, Items: &choices{list}}
	}
	f.Properties[q.ID] = one
	if q.AllowText {
		m := &belongs{}
		m.Question.ID = q.ID
		f.Properties[q.ID+otherText] = field{Type: "string", Title: title + ": another answer", Meta: m}
		return
	}
	f.Required = append(f.Required, q.ID)
}

// readFields reads the answer to a question. What was not offered is for the
// tool to refuse.
func readFields(q tools.Question, content map[string]json.RawMessage) (a tools.QuestionAnswer, err error) {
	read := func(name string, to any) {
		if raw := content[name]; err == nil && len(raw) > 0 && string(raw) != "null" {
			if json.Unmarshal(raw, to) != nil {
				err = fmt.Errorf("the editor answered the field %q with %.100s", name, raw)
			}
		}
	}
	switch {
	case len(q.Options) == 0:
		read(q.ID, &a.Text)
	case q.Multi:
		read(q.ID, &a.Options)
	default:
		var one string
		if read(q.ID, &one); one != "" {
			a.Options = []string{one}
		}
	}
	if len(q.Options) > 0 && q.AllowText {
		read(q.ID+otherText, &a.Text)
	}
	return a, err
}

// maxFeedback bounds what a person says to a rejection.
const maxFeedback = 4000

// askWhy asks for the feedback to a rejection; "" if there is none.
func (sess *session) askWhy(ctx context.Context, r *agent.ConfirmRequest) string {
	outcome, content, err := sess.elicit(ctx, elicitParams{SessionID: r.SessionID, CallID: r.ToolCallID, Message: "Rejected: " + confirmedCall(r).Title,
		Schema: form{Properties: map[string]field{"feedback": {Type: "string", Title: "What should the agent do instead?", MaxLength: maxFeedback}}}})
	var feedback string
	if err == nil && outcome == tools.Answered {
		_ = json.Unmarshal(content["feedback"], &feedback) // the rejection holds without it
	}
	return feedback
}
