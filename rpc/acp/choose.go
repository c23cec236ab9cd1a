package acp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/tools"
)

// choose asks questions as permissions, one after the other: the options are the
// choices. Only questions of which one option is the answer can be asked so.
func (sess *session) choose(ctx context.Context, r *agent.AskRequest) (tools.AskAnswer, error) {
	if slices.ContainsFunc(r.Questions, func(q tools.Question) bool { return len(q.Options) == 0 || q.Multi }) {
		return tools.AskAnswer{}, fmt.Errorf("this editor shows only questions with options, of which one is chosen")
	}
	a := tools.AskAnswer{Outcome: tools.Answered, Answers: map[string]tools.QuestionAnswer{}}
	for _, q := range r.Questions {
		// A program that allows everything takes the first option that allows: it
		// must not answer for the person.
		options := []permissionOption{{choiceLeft, "You decide", allowOnce}}
		for _, o := range q.Options {
			name := o.Label
			if o.Description != "" {
				name += " (" + o.Description + ")"
			}
			options = append(options, permissionOption{choicePrefix + o.ID, name, allowOnce})
		}
		options = append(options, permissionOption{optionReject, "Do not answer", rejectOnce})
		chosen, _, err := sess.permission(ctx, permissionParams{SessionID: r.SessionID, Options: options,
			ToolCall: toolUpdate{ID: r.ToolCallID, Title: q.Question, Kind: tools.KindThink, Status: agent.ToolPending, Content: []any{shownText(q.Question)}}})
		switch {
		case err != nil:
			return tools.AskAnswer{}, err
		case chosen == choiceLeft:
			return tools.AskAnswer{Outcome: tools.Declined}, nil
		case chosen == "" || chosen == optionReject:
			return tools.AskAnswer{Outcome: tools.Dismissed}, nil
		}
		a.Answers[q.ID] = tools.QuestionAnswer{Options: []string{strings.TrimPrefix(chosen, choicePrefix)}}
	}
	return a, nil
}

// The ids of the options of a question.
const (
	choiceLeft   = "agent-decides"
	choicePrefix = "choose-"
)
