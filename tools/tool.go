// Package tools is what the model can do: the tool contract, the registry, and
// the dispatch pipeline that every call goes through, whoever made the tool.
// It knows no JSON-RPC and no model: the agent gives it a Gate for permissions.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Level says how much trust a call needs.
type Level string

// The levels. A safe call runs. A sensitive one asks, unless a grant or the
// mode covers it. A dangerous tool is off until the user enables it; a
// dangerous call asks in every mode.
const (
	Safe      Level = "safe"
	Sensitive Level = "sensitive"
	Dangerous Level = "dangerous"
)

// Kind tells an editor how to show a call. The words are ACP's.
type Kind string

// Tool kinds.
const (
	KindRead    Kind = "read"
	KindEdit    Kind = "edit"
	KindDelete  Kind = "delete"
	KindMove    Kind = "move"
	KindSearch  Kind = "search"
	KindExecute Kind = "execute"
	KindThink   Kind = "think"
	KindFetch   Kind = "fetch"
	KindOther   Kind = "other"
)

// Traits describe one call, judged by its input.
type Traits struct {
	ReadOnly    bool // changes nothing anywhere
	Destructive bool // may lose what cannot be brought back
	Concurrent  bool // may run beside other concurrent calls
}

// Tool is one thing that the model can call. Make it with New; a Tool is not
// changed after it is registered.
type Tool struct {
	// Name is what the model calls: [a-z0-9_]{1,64}.
	Name string
	// Title is what a person reads, e.g. "Read file".
	Title string
	// Description is what the model reads: Markdown, usually embedded from
	// the file beside the tool.
	Description string
	Kind        Kind
	// Level is the level of the tool. A Plan may raise or lower it for a call.
	Level Level
	// Traits hold for calls whose tool has no Traits function.
	Traits Traits
	// Cap bounds the result in bytes; 0 means DefaultCap.
	Cap int
	// Timeout bounds Run; 0 means none. Waiting for a person is not counted.
	Timeout time.Duration
	// NeedsAsk marks a tool that is of no use when the client cannot show
	// questions: it is then not offered to the model.
	NeedsAsk bool
	// NeedsSkills marks a tool that loads skills.
	NeedsSkills bool
	// NeedsSpawn marks a tool that starts subagents.
	NeedsSpawn bool
	// NeedsTeam marks a tool for members of a team, NeedsLead one that only the
	// lead of the team has.
	NeedsTeam, NeedsLead bool
	// With names tools without any of which this one is of no use: it is
	// offered to the model while one of them is on. Empty means always.
	With []string
	// Deferred keeps the tool's schema out of the prompt until tool_search has
	// found it.
	Deferred bool

	schema *Schema
	run    handler
}

// Handler is what a tool does. P is its parameter struct, from which the
// schema is made (see Schema).
type Handler[P any] struct {
	// Traits judges a call by its input. Optional.
	Traits func(p *P) Traits
	// Plan says what the call is about to do, so that it can be judged and
	// shown before it is done. It must change nothing. Optional.
	Plan func(ctx context.Context, c *Call, p *P) (*Plan, error)
	// Run does it. An error is shown to the model as an error result; wrap
	// an *Error to choose its code and hint.
	Run func(ctx context.Context, c *Call, p *P) (*Result, error)
}

// handler is a Handler with its parameter type forgotten.
type handler struct {
	decode func(args json.RawMessage) (any, error)
	traits func(p any) Traits
	plan   func(ctx context.Context, c *Call, p any) (*Plan, error)
	run    func(ctx context.Context, c *Call, p any) (*Result, error)
}

// New completes t with a schema made from P and with its handler.
func New[P any](t Tool, h Handler[P]) *Tool {
	t.schema = schemaOf[P]()
	t.run = handlerOf(h, func(args json.RawMessage) (any, error) {
		p := new(P)
		if err := decodeStrict(args, p); err != nil {
			return nil, fmt.Errorf("decoding arguments: %w", err)
		}
		return p, nil
	})
	return &t
}

// handlerOf forgets the parameter type; decode makes a *P.
func handlerOf[P any](h Handler[P], decode func(args json.RawMessage) (any, error)) handler {
	run := handler{decode: decode}
	if h.Traits != nil {
		run.traits = func(p any) Traits { return h.Traits(p.(*P)) }
	}
	if h.Plan != nil {
		run.plan = func(ctx context.Context, c *Call, p any) (*Plan, error) { return h.Plan(ctx, c, p.(*P)) }
	}
	run.run = func(ctx context.Context, c *Call, p any) (*Result, error) { return h.Run(ctx, c, p.(*P)) }
	return run
}

// OnByDefault reports whether the tool is on before anybody has said anything.
func (t *Tool) OnByDefault() bool { return t.Level != Dangerous }

// NeverReads reports whether no call of the tool only reads, whatever its input:
// it is of no use where nothing may be changed.
func (t *Tool) NeverReads() bool { return t.run.traits == nil && !t.Traits.ReadOnly }

// Schema is the JSON Schema of the tool's arguments.
func (t *Tool) Schema() json.RawMessage { return t.schema.JSON() }
