package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/agentd-dev/agentd/editstate"
)

// Call is one call of a tool, as its handler sees it.
type Call struct {
	ID   string
	Tool *Tool
	// Args are the validated, coerced arguments.
	Args json.RawMessage
	Env  *Env
	// Plan is what was planned and allowed; nil if the tool plans nothing.
	Plan *Plan
	// Answer is what the person said to it, or ByPolicy.
	Answer Answer

	output func(text string)
}

// Output streams a piece of live output to the client. It is not part of the
// result.
func (c *Call) Output(text string) {
	if c.output != nil && text != "" {
		c.output(text)
	}
}

// Env is the session's world as tools see it.
type Env struct {
	// Files is the session's view of the workspace. Tools open no file of
	// the workspace by any other way.
	Files *editstate.Workspace
	// Ask asks the person a question; nil when the client cannot show one.
	Ask func(ctx context.Context, callID string, questions []Question) (AskAnswer, error)
	// Terminal runs a command in a terminal of the editor's and waits for it;
	// nil when the editor has none.
	Terminal func(ctx context.Context, c TerminalCommand) (*TerminalEnd, error)
	// Redactor masks what the model must not see, in every result. Tools that
	// show a part of a file ask it about the whole.
	Redactor *Redactor
	// Notify leaves a note for the model, which gets it with its next request,
	// and tells the person. It is nil where nobody listens.
	Notify func(Note)
	// Skill gives the instructions of a skill; nil where there are none.
	Skill func(ctx context.Context, name string) (string, error)
	// ShowPlan shows the person the whole plan; nil where nobody listens.
	ShowPlan func([]Step)
	// Spawn starts subagents; nil where there are none.
	Spawn Spawner
	// Team is the team; nil where there is none.
	Team Team
	// Catalog finds tools that the model has not been told of; nil if there
	// is none.
	Catalog Catalog
	// Spool keeps results that are too long for the model.
	Spool *Spool
	// Environ is the environment of child processes, already without the
	// keys that agentd holds.
	Environ []string

	mu    sync.Mutex
	state map[any]io.Closer
	ended bool
}

// Note is something that happened beside the calls.
type Note struct {
	Text string // for the model and the person
	Hint string // for the model
	// Stale, if set, is asked when the note is about to be sent: true drops it.
	Stale func() bool
}

// Step is one step of a plan; the words are ACP's.
type Step struct {
	Content  string `json:"content"`
	Priority string `json:"priority" jsonschema:"enum=high,enum=medium,enum=low"`
	Status   string `json:"status" jsonschema:"enum=pending,enum=in_progress,enum=completed"`
}

// SpawnRequest asks for a subagent.
type SpawnRequest struct {
	CallID string // of the call that asks
	Type   string
	Task   string // for the person
	Prompt string
	// Member is set for a member of a team, which lives on.
	Member bool
}

// Spawner runs subagents.
type Spawner interface {
	// Check reports a type that there is not.
	Check(kind string) error
	// Run runs a subagent to its end and gives its answer.
	Run(ctx context.Context, r SpawnRequest) (string, error)
}

// Catalog is what tool_search searches.
type Catalog interface {
	// Find gives the deferred tools that fit a query best, the best first.
	Find(query string, limit int) []*Tool
	// Load offers tools to the model from its next request on.
	Load(names ...string)
}

// State gives the session's value under key, made by start on first use: how a
// tool keeps something for a session (child processes, a task list) without
// any cost to sessions that never use it. The values are closed with the
// session.
func (e *Env) State(key any, start func() (io.Closer, error)) (io.Closer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := e.state[key]; ok {
		return v, nil
	}
	if e.ended {
		return nil, &Error{Code: CodeUnavailable, Message: "the session has ended"}
	}
	v, err := start()
	if err != nil {
		return nil, err
	}
	if e.state == nil {
		e.state = map[any]io.Closer{}
	}
	e.state[key] = v
	return v, nil
}

// Close closes all that State holds, each once.
func (e *Env) Close() error {
	e.mu.Lock()
	state := e.state
	e.state, e.ended = nil, true
	e.mu.Unlock()
	var errs []error
	for _, v := range state {
		errs = append(errs, v.Close())
	}
	return errors.Join(errs...)
}
