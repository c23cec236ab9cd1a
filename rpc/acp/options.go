package acp

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// modeState is the mode of a session and those that there are.
type modeState struct {
	Current   agent.Mode       `json:"currentModeId"`
	Available []agent.ModeInfo `json:"availableModes"`
}

func (sess *session) modes() modeState { return modeState{sess.core.Mode(), agent.Modes()} }

// configOption is something that can be chosen from a list.
type configOption struct {
	Type     string         `json:"type"` // "select"
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Category string         `json:"category"`
	Current  string         `json:"currentValue"`
	Options  []configChoice `json:"options"`
}

type configChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// The ids of what can be chosen.
const (
	optionMode    = "mode"
	optionModel   = "model"
	optionThought = "thought_level"
)

// options lists what can be chosen for the session, as it is now.
func (sess *session) options() []configOption {
	mode := configOption{Type: "select", ID: optionMode, Name: "Mode", Category: "mode", Current: string(sess.core.Mode())}
	for _, m := range agent.Modes() {
		mode.Options = append(mode.Options, configChoice{string(m.ID), m.Name, m.Description})
	}
	current := sess.core.ModelName()
	models := configOption{Type: "select", ID: optionModel, Name: "Model", Category: "model", Current: current}
	for _, m := range sess.srv.cfg.Agent.Models() {
		if !models.has(m.ID) { // the default may be one of the others
			models.Options = append(models.Options, configChoice{Value: m.ID, Name: cmp.Or(m.Name, m.ID)})
		}
	}
	if !models.has(current) {
		models.Options = append(models.Options, configChoice{Value: current, Name: current})
	}
	list := []configOption{mode, models}
	if strings.HasPrefix(current, "replay:") { // it does not think
		return list
	}
	thought := configOption{Type: "select", ID: optionThought, Name: "Thought level", Category: "thought_level", Current: string(sess.core.Effort())}
	for _, e := range agent.Efforts() {
		thought.Options = append(thought.Options, configChoice{Value: string(e), Name: strings.ToUpper(string(e[:1])) + string(e[1:])})
	}
	return append(list, thought)
}

func (o *configOption) has(value string) bool {
	return slices.ContainsFunc(o.Options, func(c configChoice) bool { return c.Value == value })
}

type setModeParams struct {
	SessionID string `json:"sessionId"`
	ModeID    string `json:"modeId"`
}

func setMode(s *server, p *setModeParams) (empty, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return empty{}, err
	}
	if err := wire.Required("modeId", p.ModeID); err != nil {
		return empty{}, err
	}
	return empty{}, sess.core.SetMode(p.ModeID)
}

type setOptionParams struct {
	SessionID string          `json:"sessionId"`
	ConfigID  string          `json:"configId"`
	Value     json.RawMessage `json:"value"`
}

type optionsResult struct {
	Options []configOption `json:"configOptions"`
}

func setConfigOption(s *server, p *setOptionParams) (*optionsResult, error) {
	sess, err := s.session(p.SessionID)
	if err != nil {
		return nil, err
	}
	options := sess.options()
	i := slices.IndexFunc(options, func(o configOption) bool { return o.ID == p.ConfigID })
	if i < 0 {
		return nil, wire.InvalidParams("params.configId: there is no option %q", p.ConfigID)
	}
	var value string
	if err := json.Unmarshal(p.Value, &value); err != nil || !options[i].has(value) {
		return nil, wire.InvalidParams("params.value: the option %q has no value %.200s", p.ConfigID, p.Value)
	}
	switch p.ConfigID {
	case optionMode:
		err = sess.core.SetMode(value)
	case optionModel:
		err = sess.core.SetModel(value)
	case optionThought:
		err = sess.core.SetEffort(value)
	}
	if err != nil {
		return nil, err
	}
	return &optionsResult{sess.options()}, nil
}
