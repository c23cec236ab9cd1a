package agent

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tools"
)

const (
	// MaxDepth is how deeply agents may be nested; the session itself is 0.
	MaxDepth = 3
	// subagentRequests bounds the model requests of one subagent.
	subagentRequests = 60
)

// AgentType is a kind of subagent.
type AgentType struct {
	Name        string
	Description string
	// Tools are the names of the tools that it has, with "*" for any text; nil means
	// all, and ReadOnly those of them that only read.
	Tools    []string
	ReadOnly bool
	Model    string // "" is that of the session
	Prompt   string
}

// builtinTypes are the kinds of subagents that there always are.
func builtinTypes() []AgentType {
	return []AgentType{
		{Name: "general-purpose", Description: "any task that stands by itself"},
		{Name: "explore", Description: "searches and reads, changes nothing", ReadOnly: true,
			Prompt: "You explore: find what was asked for, and answer with what you found, as path:line with the few lines that matter. You can only read."},
		{Name: "plan", Description: "reads and makes a plan", ReadOnly: true,
			Prompt: "You plan: read what you need, then answer with a plan in numbered steps that names files and functions, says what could go wrong, and how to check the result. You can only read."},
	}
}

// ParseAgentType reads a kind of subagent from a Markdown file: front matter with
// name, description, tools (names with commas between) and model; the text is
// its prompt. ok is false if the file is none.
func ParseAgentType(file, text string) (a AgentType, ok bool) {
	meta, body := frontMatter(text)
	a.Name = cmp.Or(meta["name"], strings.TrimSuffix(file, ".md"))
	a.Description, a.Model, a.Prompt = meta["description"], meta["model"], strings.TrimSpace(body)
	for _, t := range strings.Split(meta["tools"], ",") {
		if t = strings.TrimSpace(t); t != "" {
			a.Tools = append(a.Tools, t)
		}
	}
	return a, commandName.MatchString(a.Name) && a.Description != "" && a.Prompt != ""
}

// workspaceAgents is where a workspace has its kinds of subagents.
const workspaceAgents = ".agentd/agents"

// loadTypes finds the kinds of subagents of the user, and of the workspace if the
// person trusts it.
func (s *Session) loadTypes(trusted bool) {
	if f := s.agent.cfg.UserAgents; f != nil {
		s.types = f()
	}
	if !trusted {
		return
	}
	for _, root := range s.files.Roots() {
		for name, text := range s.markdownIn(path.Join(root, workspaceAgents)) {
			if a, ok := ParseAgentType(name, text); ok {
				s.types = append(s.types, a)
			}
		}
	}
}

// typesText lists the kinds that are not built in, for the system prompt.
func (s *Session) typesText() string {
	var b strings.Builder
	for _, a := range s.agentTypes()[len(builtinTypes()):] {
		fmt.Fprintf(&b, "- %s: %s\n", a.Name, shorten(a.Description, 200))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nFurther types of subagents:\n" + b.String()
}

// agentTypes gives the kinds that the session has; built-in ones cannot be
// replaced.
func (s *Session) agentTypes() []AgentType {
	all := builtinTypes()
	for _, a := range s.types {
		if !slices.ContainsFunc(all, func(b AgentType) bool { return b.Name == a.Name }) {
			all = append(all, a)
		}
	}
	return all
}

// toolsOf computes the tools of a kind from their definitions alone.
func (a AgentType) toolsOf(all []*tools.Tool, depth int, member bool) []*tools.Tool {
	var out []*tools.Tool
	for _, t := range all {
		switch {
		case a.ReadOnly && (t.Level != tools.Safe || !t.Traits.ReadOnly):
		case a.Tools != nil && !t.NeedsTeam && !slices.ContainsFunc(a.Tools, func(name string) bool { ok, _ := path.Match(name, t.Name); return ok }):
		case t.NeedsTeam && (!member || t.NeedsLead):
		case t.NeedsAsk: // only the agent that the user talks to asks
		case t.NeedsSpawn && (a.ReadOnly || depth >= MaxDepth):
		default:
			out = append(out, t)
		}
	}
	return out
}

// spawner starts the subagents of a session.
type spawner struct{ s *Session }

// Check implements tools.Spawner.
func (sp spawner) Check(kind string) error {
	_, err := sp.find(kind)
	return err
}

func (sp spawner) find(kind string) (AgentType, error) {
	var names []string
	for _, a := range sp.s.agentTypes() {
		if a.Name == kind {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return AgentType{}, &tools.Error{Code: tools.CodeInvalidArguments, Message: fmt.Sprintf("there is no subagent type %q", kind), Hint: "The types are " + strings.Join(names, ", ") + "."}
}

// Run implements tools.Spawner: it runs a subagent to its end and gives its
// answer.
func (sp spawner) Run(ctx context.Context, r tools.SpawnRequest) (string, error) {
	kind, err := sp.find(r.Type)
	if err != nil {
		return "", err
	}
	child, err := sp.s.child(kind, r)
	if err != nil {
		return "", err
	}
	defer child.closeChild()
	return child.answer(ctx, r.Prompt)
}

// answer has a subagent work on a text to its end, and gives its answer.
func (child *Session) answer(ctx context.Context, text string) (string, error) {
	begun, err := child.Begin(ctx, nil, false)
	if err != nil {
		return "", err
	}
	t := begun.wait()
	if t == nil {
		return "", ctx.Err()
	}
	defer t.finish()
	t.of(child.top().turnID())
	t.most = subagentRequests
	res := t.run(model.TextMessage(model.RoleUser, text))
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case res.Error != nil:
		return "", &tools.Error{Code: tools.CodeExecution, Message: "the subagent failed: " + res.Error.Message, Hint: "Do the task yourself, or try again with less in it."}
	}
	answer := child.lastAnswer()
	if res.StopReason != StopEndTurn {
		answer += fmt.Sprintf("\n[The subagent was stopped before it had finished: %s.]", res.StopReason)
	}
	if strings.TrimSpace(answer) == "" {
		return "", &tools.Error{Code: tools.CodeExecution, Message: "the subagent ended without an answer", Hint: "Do the task yourself, or say what it should answer with."}
	}
	return answer, nil
}

// of makes the turn of a subagent part of one of the session, for the audit; the
// session may have none at the moment.
func (t *turn) of(id string) {
	if id == "" {
		return
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.id = id
}

// child makes the session of a subagent: a conversation and a ledger of its own,
// with the parent's policy, grants and person.
func (s *Session) child(kind AgentType, r tools.SpawnRequest) (*Session, error) {
	if s.depth >= MaxDepth {
		return nil, &tools.Error{Code: tools.CodeUnavailable, Message: fmt.Sprintf("subagents may be nested %d deep at most", MaxDepth), Hint: "Do the task yourself."}
	}
	s.mu.Lock()
	m, effort := s.model, s.effort
	s.mu.Unlock()
	if kind.Model != "" {
		own, err := s.agent.cfg.Models.Open(kind.Model)
		if err != nil {
			return nil, err
		}
		m = own
	}
	files, err := s.files.Fork()
	if err != nil {
		return nil, err
	}
	has := slices.DeleteFunc(slices.Clone(s.dispatch.List()), func(t *tools.Tool) bool {
		return t.OnByDefault() && !s.dispatch.Enabled(t) // the person has switched it off
	})
	registry, err := tools.NewRegistry(kind.toolsOf(has, s.depth+1, r.Member)...)
	if err != nil {
		files.Close()
		return nil, err
	}
	c := &Session{ID: s.ID, agent: s.agent, parent: s, depth: s.depth + 1, label: r.Task, types: s.types, skills: s.skills,
		client: nested{s, r.CallID}, files: files, spool: s.spool, undo: s.undo, breaker: s.breaker, model: m, effort: effort}
	env := &tools.Env{Files: files, Spool: s.spool, Environ: s.dispatch.Env.Environ, Redactor: s.agent.cfg.Redactor}
	c.dispatch = &tools.Dispatcher{Session: s.ID, Registry: registry, Gate: c, Env: env, Redactor: s.agent.cfg.Redactor, Audit: s.agent.cfg.Audit, Breaker: s.breaker,
		CallPrefix: s.dispatch.CallPrefix + r.CallID + "."}
	env.Catalog, env.Notify, env.Spawn = c.dispatch, c.notify, spawner{c}
	env.Skill = s.dispatch.Env.Skill
	if run := s.dispatch.Env.Terminal; run != nil {
		env.Terminal = func(ctx context.Context, t tools.TerminalCommand) (*tools.TerminalEnd, error) {
			t.CallID = nested{s, r.CallID}.id(t.CallID)
			return run(ctx, t)
		}
	}
	c.begin()
	for _, t := range registry.List() {
		if t.Level == tools.Dangerous && s.dispatch.Enabled(t) {
			_ = c.dispatch.Enable(t.Name, true) // it is in the registry
		}
	}
	c.system = c.systemPrompt(s.agent.cfg.Today()) + "\nYou are a subagent: you got your task from another agent, and your last message is your answer to it. Nobody reads what you write before.\n" + kind.Prompt
	return c, nil
}

// closeChild lets go of what a subagent holds.
func (s *Session) closeChild() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	if err := s.dispatch.Env.Close(); err != nil {
		s.notifyClosing(err)
	}
	s.files.Close()
}

// lastAnswer is the text of the model's last message.
func (s *Session) lastAnswer() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range slices.Backward(s.history) {
		if m.Role == model.RoleAssistant && strings.TrimSpace(m.Text()) != "" {
			return m.Text()
		}
	}
	return ""
}

// top is the session at the top: the one whose policy and person count.
func (s *Session) top() *Session {
	for s.parent != nil {
		s = s.parent
	}
	return s
}
