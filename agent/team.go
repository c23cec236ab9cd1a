package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// maxMembers bounds a team, the lead not counted.
	maxMembers = 8
	// maxInbox bounds the messages that wait for a member.
	maxInbox = 50
	// maxMemberTurns bounds how often a member works in one session: two that
	// answer each other would never end.
	maxMemberTurns = 50
)

// team is the members of a session and their messages. It is safe for concurrent
// use.
type team struct {
	s *Session // at the top

	telling sync.Mutex
	told    []tools.Member // the client, last

	mu      sync.Mutex
	members []*member // the lead first
}

// member is one of a team. team.mu guards what changes.
type member struct {
	name, kind, role string
	inbox            []tools.TeamMessage
	news             chan struct{} // something is in the inbox
	state            string
	cancel           context.CancelFunc // the work at hand; nil if there is none
}

func newTeam(s *Session) *team {
	return &team{s: s, members: []*member{{name: tools.Lead, news: make(chan struct{}, 1)}}}
}

// find gives a member; tm.mu is held.
func (tm *team) find(name string) *member {
	for _, m := range tm.members {
		if m.name == name {
			return m
		}
	}
	return nil
}

// names lists the members that can be written to; tm.mu is held.
func (tm *team) names() string {
	var out []string
	for _, m := range tm.members {
		if m.state != "ended" {
			out = append(out, m.name)
		}
	}
	return strings.Join(out, ", ")
}

// teamView is the team as one of its members sees it.
type teamView struct {
	*team
	self string
}

// Check implements tools.Team.
func (v teamView) Check(r tools.MemberRequest) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.check(r)
}

// check is Check. v.mu is held.
func (v teamView) check(r tools.MemberRequest) error {
	if v.self != tools.Lead {
		return &tools.Error{Code: tools.CodeUnavailable, Message: "only the lead makes members", Hint: "Do it yourself, or write to the lead."}
	}
	if err := (spawner{v.s}).Check(r.Type); err != nil {
		return err
	}
	alive := 0
	for _, m := range v.members[1:] {
		if m.state != "ended" {
			alive++
		}
	}
	old := v.find(r.Name)
	switch {
	case r.Name == tools.Lead || r.Name == "all" || old != nil && old.state != "ended":
		return &tools.Error{Code: tools.CodeInvalidArguments, Message: fmt.Sprintf("the name %q is taken", r.Name), Hint: "Choose another one. Taken are " + v.names() + "."}
	case alive >= maxMembers:
		return &tools.Error{Code: tools.CodeUnavailable, Message: fmt.Sprintf("a team has at most %d members", maxMembers), Hint: "End one with background_kill, or use subagent."}
	}
	return nil
}

// Create implements tools.Team.
func (v teamView) Create(r tools.MemberRequest) (live func(context.Context, io.Writer) string, err error) {
	kind, err := (spawner{v.s}).find(r.Type)
	if err != nil {
		return nil, err
	}
	m := &member{name: r.Name, kind: r.Type, role: r.Role, news: make(chan struct{}, 1), state: "idle"}
	v.mu.Lock()
	if err = v.check(r); err == nil {
		v.members = slices.DeleteFunc(v.members, func(o *member) bool { return o.name == r.Name })
		v.members = append(v.members, m)
	}
	v.mu.Unlock()
	if err != nil {
		return nil, err
	}
	kind.Prompt = strings.TrimSpace(kind.Prompt+"\n\n"+r.Role) + fmt.Sprintf("\nYou are %q in a team. You work when a message comes. Your last message of each work goes to the lead by itself; to others you write with team_send.", r.Name)
	child, err := v.s.child(kind, tools.SpawnRequest{CallID: r.CallID, Type: r.Type, Task: r.Name, Member: true})
	if err != nil {
		v.end(m)
		return nil, err
	}
	child.dispatch.Env.Team = teamView{v.team, r.Name}
	child.dispatch.Load("team_send", "team_read", "team_list")
	v.tell()
	return func(ctx context.Context, out io.Writer) string { return v.live(ctx, m, child, out) }, nil
}

// live has a member work whenever a message comes.
func (v teamView) live(ctx context.Context, m *member, child *Session, out io.Writer) string {
	defer child.closeChild()
	defer v.end(m)
	for range maxMemberTurns {
		text, ok := v.next(ctx, m)
		if !ok {
			return "it has left the team"
		}
		answer, err := v.work(ctx, m, child, text)
		switch {
		case errors.Is(err, context.Canceled):
			answer = "[It did not finish: it was cancelled.]"
		case err != nil:
			answer = "[It did not finish: " + err.Error() + "]"
		}
		_, _ = io.WriteString(out, strings.TrimRight(answer, "\n")+"\n") // it takes everything
		if ctx.Err() != nil {
			return "it has left the team"
		}
		_ = v.send(m.name, tools.Lead, answer) // the lead is always there; with a full inbox its output has it
	}
	return fmt.Sprintf("it has worked %d times, which is the most", maxMemberTurns)
}

// next waits for messages, and takes them.
func (tm *team) next(ctx context.Context, m *member) (text string, ok bool) {
	for {
		tm.mu.Lock()
		list := m.inbox
		m.inbox = nil
		if len(list) > 0 {
			m.state = "working"
		}
		tm.mu.Unlock()
		if len(list) > 0 {
			tm.tell()
			var parts []string
			for _, x := range list {
				parts = append(parts, fmt.Sprintf("[Message from %s]\n%s", x.From, x.Text))
			}
			return strings.Join(parts, "\n\n"), true
		}
		select {
		case <-m.news:
		case <-ctx.Done():
			return "", false
		}
	}
}

// work has a member work on messages.
func (tm *team) work(ctx context.Context, m *member, child *Session, text string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tm.mu.Lock()
	m.cancel = cancel
	tm.mu.Unlock()
	answer, err := child.answer(ctx, text)
	tm.mu.Lock()
	m.cancel, m.state = nil, "idle"
	tm.mu.Unlock()
	tm.tell()
	return answer, err
}

// end takes a member out: it cannot be written to any more.
func (tm *team) end(m *member) {
	tm.mu.Lock()
	m.state, m.inbox = "ended", nil
	tm.mu.Unlock()
	tm.tell()
}

// Send implements tools.Team.
func (v teamView) Send(to, text string) error { return v.send(v.self, to, text) }

func (tm *team) send(from, to, text string) error {
	tm.mu.Lock()
	var targets []*member
	for _, m := range tm.members {
		if m.name != from && m.state != "ended" && (to == "all" || m.name == to) {
			targets = append(targets, m)
		}
	}
	if len(targets) == 0 {
		err := &tools.Error{Code: tools.CodeNotFound, Message: fmt.Sprintf("there is no member %q to write to", to), Hint: "There are " + tm.names() + ". Members end with agentd; team_create makes new ones."}
		tm.mu.Unlock()
		return err
	}
	for _, m := range targets {
		if len(m.inbox) >= maxInbox {
			tm.mu.Unlock()
			return &tools.Error{Code: tools.CodeUnavailable, Message: fmt.Sprintf("%d messages wait for %s already; nothing was sent", len(m.inbox), m.name), Hint: "Wait until it has worked on them."}
		}
	}
	lead := false
	for _, m := range targets {
		m.inbox = append(m.inbox, tools.TeamMessage{From: from, Text: text, Time: time.Now()})
		lead = lead || m.name == tools.Lead
		select {
		case m.news <- struct{}{}:
		default:
		}
	}
	tm.mu.Unlock()
	if lead {
		tm.s.notify(tools.Note{Text: fmt.Sprintf("A message of the team member %s waits: %s", from, shorten(oneLine(text), 100)), Hint: "team_read gives the whole of it.", Stale: tm.leadHasRead})
	}
	tm.tell()
	return nil
}

// leadHasRead reports whether no message waits for the lead.
func (tm *team) leadHasRead() bool {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return len(tm.members[0].inbox) == 0
}

// Read implements tools.Team.
func (v teamView) Read(ctx context.Context, wait time.Duration) ([]tools.TeamMessage, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		v.mu.Lock()
		m := v.find(v.self)
		list := m.inbox
		m.inbox = nil
		v.mu.Unlock()
		if len(list) > 0 {
			v.tell()
			return list, nil
		}
		select {
		case <-m.news:
		case <-timer.C:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// List implements tools.Team.
func (tm *team) List() []tools.Member {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	var out []tools.Member
	for i, m := range tm.members {
		state := m.state
		if i == 0 {
			state = "working" // it asks
		}
		out = append(out, tools.Member{Name: m.name, Type: m.kind, Role: m.role, State: state, Waiting: len(m.inbox)})
	}
	return out
}

// cancelWork cancels what the members are doing; they stay in the team. It reports
// whether there was anything.
func (tm *team) cancelWork() bool {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	any := false
	for _, m := range tm.members {
		if m.cancel != nil {
			m.cancel()
			any = true
		}
	}
	return any
}

// tell tells the client how the team is, if that is new.
func (tm *team) tell() {
	tm.telling.Lock()
	defer tm.telling.Unlock()
	list := tm.List()[1:]
	for i := range list {
		list[i].Role = shorten(oneLine(list[i].Role), 200)
	}
	if slices.Equal(list, tm.told) {
		return
	}
	tm.told = list
	tm.s.emit(tm.s.life, tm.s.turnID(), TeamEvent{list})
}
