package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/store"
	"github.com/agentd-dev/agentd/tools"
)

// ToolInfo describes a tool to a client.
type ToolInfo struct {
	Name        string      `json:"name"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Kind        tools.Kind  `json:"kind"`
	Level       tools.Level `json:"level"`
	Enabled     bool        `json:"enabled"`
	// Function is the tool as OpenAI's API is told it.
	Function FunctionTool `json:"function"`
}

// FunctionTool is OpenAI's description of a tool.
type FunctionTool struct {
	Type     string     `json:"type" jsonschema:"enum=function"`
	Function model.Tool `json:"function"`
}

// DescribeTool makes the description of a tool.
func DescribeTool(t *tools.Tool, enabled bool) ToolInfo {
	return ToolInfo{Name: t.Name, Title: t.Title, Description: t.Description, Kind: t.Kind, Level: t.Level, Enabled: enabled,
		Function: FunctionTool{Type: "function", Function: modelTool(t)}}
}

func modelTool(t *tools.Tool) model.Tool {
	return model.Tool{Name: t.Name, Description: strings.TrimSpace(t.Description), Parameters: t.Schema()}
}

// Tools lists the session's tools.
func (s *Session) Tools() []ToolInfo {
	var out []ToolInfo
	for _, t := range s.dispatch.List() {
		out = append(out, DescribeTool(t, s.dispatch.Enabled(t)))
	}
	return out
}

// ConfigureTools switches tools on and off. If a name is unknown nothing is
// changed.
func (s *Session) ConfigureTools(enable, disable []string) error {
	for _, name := range append(append([]string{}, enable...), disable...) {
		if s.dispatch.Get(name) == nil {
			return noTool(name)
		}
	}
	for _, name := range enable {
		_ = s.dispatch.Enable(name, true)
	}
	for _, name := range disable {
		_ = s.dispatch.Enable(name, false)
	}
	s.journal.config(store.Config{Off: s.switchedOff()})
	return nil
}

// switchedOff names the tools that the person has switched off; they stay off when
// the session is loaded.
func (s *Session) switchedOff() []string {
	off := []string{}
	for _, t := range s.dispatch.List() {
		if !s.dispatch.Enabled(t) && (t.OnByDefault() || slices.Contains(s.agent.cfg.Enable, t.Name)) {
			off = append(off, t.Name)
		}
	}
	return off
}

// showPlan tells the client the whole plan.
func (s *Session) showPlan(steps []tools.Step) {
	s.mu.Lock()
	s.plan = steps
	s.mu.Unlock()
	s.emit(s.life, s.turnID(), PlanEvent{steps})
}

// Circuits lists the tools of the session that have failed by their own fault,
// and those that were stopped by hand.
func (s *Session) Circuits() []tools.Circuit { return s.breaker.Circuits() }

// SetCircuit stops a tool for a while, or lets it run again.
func (s *Session) SetCircuit(tool string, open bool) error {
	if s.dispatch.Get(tool) == nil {
		return noTool(tool)
	}
	s.breaker.Set(tool, open)
	return nil
}

func noTool(name string) error {
	return &Error{Kind: ErrInvalid, Message: fmt.Sprintf("there is no tool %q", name)}
}
