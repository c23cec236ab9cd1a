// Package team holds the tools of a team: named subagents that live through the
// session and write messages to each other.
package team

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/background"
)

//go:embed create.md
var createText string

//go:embed send.md
var sendText string

//go:embed read.md
var readText string

//go:embed list.md
var listText string

// CreateParams are the arguments of team_create.
type CreateParams struct {
	Name string `json:"name" jsonschema:"pattern=^[a-z][a-z0-9-]{0\\,31}$,description=How it is called: lower case letters\\, digits\\, -."`
	Type string `json:"type,omitempty" jsonschema:"default=general-purpose,description=Which kind of subagent it is."`
	Role string `json:"role" jsonschema:"minLength=1,maxLength=8000,description=What it is for\\, and all that it has to know: it sees nothing of this conversation."`
}

// SendParams are the arguments of team_send.
type SendParams struct {
	To   string `json:"to" jsonschema:"minLength=1,description=A member's name\\, lead\\, or all."`
	Text string `json:"text" jsonschema:"minLength=1,maxLength=20000"`
}

// ReadParams are the arguments of team_read.
type ReadParams struct {
	WaitMs int `json:"wait_ms,omitempty" jsonschema:"minimum=0,maximum=120000,default=0,description=Wait so long for a message if there is none."`
}

// ListParams are the arguments of team_list: none.
type ListParams struct{}

// Set makes team_create, team_send, team_read and team_list. What a member does is
// judged call by call, like what a subagent does.
func Set() tools.Toolset {
	look := tools.Traits{ReadOnly: true, Concurrent: true}
	return tools.Toolset{Name: "team", Members: []*tools.Tool{
		tools.New(tools.Tool{Name: "create", Title: "New team member", Description: createText, Kind: tools.KindThink, Level: tools.Safe,
			Traits: tools.Traits{ReadOnly: true}, Deferred: true, NeedsTeam: true, NeedsLead: true},
			tools.Handler[CreateParams]{Plan: planCreate, Run: create}),
		tools.New(tools.Tool{Name: "send", Title: "Message to the team", Description: sendText, Kind: tools.KindOther, Level: tools.Safe, Traits: look, Deferred: true, NeedsTeam: true},
			tools.Handler[SendParams]{Plan: planSend, Run: send}),
		tools.New(tools.Tool{Name: "read", Title: "Messages of the team", Description: readText, Kind: tools.KindRead, Level: tools.Safe, Traits: look, Deferred: true, NeedsTeam: true},
			tools.Handler[ReadParams]{Run: read}),
		tools.New(tools.Tool{Name: "list", Title: "The team", Description: listText, Kind: tools.KindRead, Level: tools.Safe, Traits: look, Deferred: true, NeedsTeam: true},
			tools.Handler[ListParams]{Run: list}),
	}}
}

func planCreate(_ context.Context, c *tools.Call, p *CreateParams) (*tools.Plan, error) {
	if err := c.Env.Team.Check(tools.MemberRequest{Name: p.Name, Type: p.Type}); err != nil {
		return nil, err
	}
	return &tools.Plan{Title: fmt.Sprintf("New team member %s (%s)", p.Name, p.Type)}, nil
}

func create(_ context.Context, c *tools.Call, p *CreateParams) (*tools.Result, error) {
	b, err := background.Of(c.Env)
	if err != nil {
		return nil, err
	}
	r := tools.MemberRequest{CallID: c.ID, Name: p.Name, Type: p.Type, Role: p.Role}
	live, err := c.Env.Team.Create(r)
	if err != nil {
		return nil, err
	}
	t, err := b.Start("team member", p.Name, live)
	if err != nil {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		live(gone, io.Discard)
		return nil, err
	}
	// team_send, team_read and team_list are of use from now on.
	c.Env.Catalog.Load("team_send", "team_read", "team_list")
	return tools.Text(fmt.Sprintf("[%s is in the team, and waits for a message: team_send. It is the background task %s; background_kill ends it.]", p.Name, t.ID)), nil
}

func planSend(_ context.Context, _ *tools.Call, p *SendParams) (*tools.Plan, error) {
	return &tools.Plan{Title: "Message to " + p.To}, nil
}

func send(_ context.Context, c *tools.Call, p *SendParams) (*tools.Result, error) {
	if err := c.Env.Team.Send(p.To, p.Text); err != nil {
		return nil, err
	}
	return tools.Text("Sent to " + p.To + "."), nil
}

func read(ctx context.Context, c *tools.Call, p *ReadParams) (*tools.Result, error) {
	list, err := c.Env.Team.Read(ctx, time.Duration(p.WaitMs)*time.Millisecond)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return tools.Text("No message waits."), nil
	}
	var parts []string
	for _, m := range list {
		parts = append(parts, fmt.Sprintf("From %s:\n%s", m.From, m.Text))
	}
	r := tools.Text(strings.Join(parts, "\n\n"))
	r.Data = map[string]any{"messages": list}
	return r, nil
}

func list(_ context.Context, c *tools.Call, _ *ListParams) (*tools.Result, error) {
	members := c.Env.Team.List()
	var b strings.Builder
	for _, m := range members {
		fmt.Fprintf(&b, "- %s", m.Name)
		if m.Type != "" {
			fmt.Fprintf(&b, " (%s)", m.Type)
		}
		fmt.Fprintf(&b, ": %s", m.State)
		if m.Waiting > 0 {
			fmt.Fprintf(&b, ", %d messages wait for it", m.Waiting)
		}
		if role, _, _ := strings.Cut(m.Role, "\n"); role != "" {
			fmt.Fprintf(&b, ". %s", role)
		}
		b.WriteByte('\n')
	}
	r := tools.Text(b.String())
	r.Data = map[string]any{"members": members}
	return r, nil
}
