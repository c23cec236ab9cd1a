package acp

import (
	"context"
	"fmt"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/rpc/wire"
	"github.com/agentd-dev/agentd/tools"
)

// notification is the body of session/update.
type notification struct {
	SessionID string `json:"sessionId"`
	Update    any    `json:"update"`
}

type blockUpdate struct {
	Kind      string `json:"sessionUpdate"`
	Content   any    `json:"content"`
	MessageID string `json:"messageId,omitempty"`
}

type planUpdate struct {
	Kind    string       `json:"sessionUpdate"`
	Entries []tools.Step `json:"entries"`
}

type commandList struct {
	Kind     string             `json:"sessionUpdate"`
	Commands []availableCommand `json:"availableCommands"`
}

type availableCommand struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Input       *commandInput `json:"input,omitempty"`
}

type commandInput struct {
	Hint string `json:"hint"`
}

func commandsUpdate(list []agent.SlashCommand) commandList {
	u := commandList{Kind: "available_commands_update", Commands: []availableCommand{}}
	for _, c := range list {
		a := availableCommand{Name: c.Name, Description: c.Description}
		if c.Input != "" {
			a.Input = &commandInput{c.Input}
		}
		u.Commands = append(u.Commands, a)
	}
	return u
}

type modeUpdate struct {
	Kind    string     `json:"sessionUpdate"`
	Current agent.Mode `json:"currentModeId"`
}

type optionUpdate struct {
	Kind    string         `json:"sessionUpdate"`
	Options []configOption `json:"configOptions"`
}

type infoUpdate struct {
	Kind  string `json:"sessionUpdate"`
	Title string `json:"title"`
}

type usageUpdate struct {
	Kind string                       `json:"sessionUpdate"`
	Used int                          `json:"used"`
	Size int                          `json:"size"`
	Meta extensions[agent.UsageEvent] `json:"_meta"`
}

// Emit implements agent.Client.
func (sess *session) Emit(_ context.Context, u agent.Update) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	if sess.phase == phaseMute {
		return
	}
	sess.translate(&u)
}

// send sends an update, or keeps it for later. sess.mu is held.
func (sess *session) send(update any) {
	if sess.phase == phaseHeld {
		sess.held = append(sess.held, update)
		return
	}
	id := sess.name
	if c, ok := update.(chunk); ok {
		c.session = id
		sess.srv.conn.Put(sess.life, &c)
		return
	}
	sess.srv.conn.Notify(sess.life, "session/update", notification{id, update})
}

// translate sends what ACP has for an event of the agent's. sess.mu is held.
func (sess *session) translate(u *agent.Update) {
	sess.name = u.SessionID
	switch e := u.Update.(type) {
	case agent.MessageDelta:
		sess.say("agent_message_chunk", u.ParentCallID, e.MessageID, e.Text)
	case agent.ThoughtDelta:
		sess.say("agent_thought_chunk", u.ParentCallID, e.MessageID, e.Text)
	case agent.UserMessage:
		if sess.phase != phaseReplay {
			return // the client has it from the person
		}
		for _, b := range e.Content {
			sess.send(blockUpdate{"user_message_chunk", shownBlock(b), e.MessageID})
		}
	case agent.ToolCallEvent:
		sess.toolCall(e, u.ParentCallID)
	case agent.ToolOutputDelta:
		sess.output(e.ToolCallID, e.Text)
	case agent.PlanEvent:
		entries := e.Entries
		if entries == nil {
			entries = []tools.Step{}
		}
		sess.send(planUpdate{"plan", entries})
	case agent.UsageEvent:
		if sess.phase == phaseReplay {
			sess.usage = &e
			return
		}
		sess.sendUsage(e)
	case agent.CommandsEvent:
		sess.send(commandsUpdate(e.Commands))
	case agent.ConfigEvent:
		sess.configured(e)
	case agent.SessionInfoEvent:
		sess.send(infoUpdate{"session_info_update", e.Title})
	case agent.NoticeEvent:
		sess.notice(e)
	case agent.StateEvent:
		if e.State == agent.Idle {
			sess.endCompaction("failed")
		}
	}
}

// say sends a piece of a text. What a subagent says is shown with the call that
// has started it: it does not speak to the person.
func (sess *session) say(kind, parent, messageID, s string) {
	if parent != "" {
		sess.output(parent, s)
		return
	}
	sess.send(chunk{kind: kind, messageID: messageID, text: []byte(s)})
}

// sendUsage sends how full the context is. Prices are in a currency that only
// the person knows, so ACP's cost is not sent.
func (sess *session) sendUsage(e agent.UsageEvent) {
	if e.ContextWindow > 0 {
		sess.send(usageUpdate{"usage_update", max(e.ContextTokens, 0), e.ContextWindow, extensions[agent.UsageEvent]{&e}})
	}
}

// configured tells of what has changed. A replay is over by the time that
// anything of this holds.
func (sess *session) configured(e agent.ConfigEvent) {
	if sess.phase == phaseReplay || sess.core == nil {
		return
	}
	if e.Mode != sess.told.Mode {
		sess.send(modeUpdate{"current_mode_update", e.Mode})
	}
	sess.told = e
	sess.send(optionUpdate{"config_option_update", sess.options()})
}

// noticeUpdate is for clients that show notices.
type noticeUpdate struct {
	Kind     string                        `json:"sessionUpdate"`
	Severity string                        `json:"severity"`
	Title    string                        `json:"title"`
	Meta     extensions[agent.NoticeEvent] `json:"_meta"`
}

type compactionUpdate struct {
	Kind   string `json:"sessionUpdate"`
	ID     string `json:"compactionId"`
	Status string `json:"status"`
}

// notice tells the person something. Clients without a place for it get what
// matters as a message: ACP allows that. An error is told by the reply.
func (sess *session) notice(e agent.NoticeEvent) {
	if sess.phase == phaseReplay && e.Kind != "interrupted" {
		return // notices are of their moment
	}
	can := sess.srv.capabilities().Session
	sess.notices++
	switch {
	case can.Compaction != nil && e.Kind == "compacting":
		sess.endCompaction("failed")
		sess.compact = fmt.Sprintf("compaction-%d", sess.notices)
		sess.send(compactionUpdate{"compaction_update", sess.compact, "in_progress"})
	case can.Compaction != nil && e.Kind == "compacted":
		sess.endCompaction("completed")
	case can.Notices != nil:
		sess.send(noticeUpdate{"notice", e.Level, e.Message, extensions[agent.NoticeEvent]{&e}})
	case e.Level == "warning":
		message := e.Message
		if e.VoidMessageID != "" {
			message += "; what was said above is void"
		}
		sess.send(blockUpdate{"agent_message_chunk", text("\n\n*" + escape(message) + "*\n\n"), fmt.Sprintf("notice-%d", sess.notices)})
	}
}

// endCompaction says what has become of a compaction, if one goes on.
func (sess *session) endCompaction(status string) {
	if sess.compact != "" {
		sess.send(compactionUpdate{"compaction_update", sess.compact, status})
		sess.compact = ""
	}
}

var _ wire.Growing = (*chunk)(nil)
