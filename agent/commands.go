package agent

import (
	"fmt"
	"strings"
	"unicode"
)

// slashCommand is a SlashCommand with what it does.
type slashCommand struct {
	SlashCommand
	run func(t *turn, args string) (string, error)
}

// slashCommands lists the commands that there are. It is a function and not a
// variable because /help refers to it.
func slashCommands() []slashCommand {
	return []slashCommand{
		{SlashCommand{"tool", "Switch tools on or off", "enable NAME | disable NAME | stop NAME | resume NAME | list"}, onSession((*Session).toolCommand)},
		{SlashCommand{"mode", "Show or change the mode", "ask | plan | accept-edits | auto"}, onSession((*Session).modeCommand)},
		{SlashCommand{"model", "Show or change the model", "NAME"}, onSession((*Session).modelCommand)},
		{SlashCommand{"compact", "Summarise the conversation to make room", "what to keep"}, (*turn).compactCommand},
		{SlashCommand{"clear", "Forget the conversation", ""}, (*turn).clearCommand},
		{SlashCommand{"undo", "Put the files back that the last turn changed", "TURN"}, (*turn).undoCommand},
		{SlashCommand{"cost", "Show what the session has used and cost", ""}, onSession((*Session).costCommand)},
		{SlashCommand{"mcp", "Show the MCP servers, or restart one", "restart NAME"}, onSession((*Session).mcpCommand)},
		{SlashCommand{"help", "List the commands", ""}, onSession((*Session).helpCommand)},
	}
}

// onSession makes a command of one that does not need the turn.
func onSession(f func(*Session, string) (string, error)) func(*turn, string) (string, error) {
	return func(t *turn, args string) (string, error) { return f(t.s, args) }
}

// Commands lists the slash commands for a client.
func Commands() []SlashCommand {
	var out []SlashCommand
	for _, c := range slashCommands() {
		out = append(out, c.SlashCommand)
	}
	return out
}

// command runs a prompt that is a slash command. done is false if it is none:
// a prompt that begins with a path, say, goes to the model.
func (s *Session) command(t *turn, blocks []ContentBlock) (res *PromptResult, err error, done bool) {
	if len(blocks) != 1 || blocks[0].Type != "text" || !strings.HasPrefix(blocks[0].Text, "/") {
		return nil, nil, false
	}
	name, args := commandLine(blocks[0].Text)
	for _, c := range slashCommands() {
		if c.Name != name {
			continue
		}
		t.emit(StateEvent{State: Running})
		t.emit(UserMessage{t.id + "-user", blocks})
		answer, err := c.run(t, args)
		if err != nil {
			answer = err.Error()
		}
		t.emit(MessageDelta{t.id + "-command", answer + "\n"})
		res = &PromptResult{TurnID: t.id, StopReason: StopEndTurn}
		if t.ctx.Err() != nil {
			res.StopReason = StopCancelled
		}
		t.emit(StateEvent{State: Idle, StopReason: res.StopReason})
		return res, nil, true
	}
	return nil, nil, false
}

// commandLine takes a slash command apart into its name and what follows.
func commandLine(text string) (name, args string) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "/"))
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

func (s *Session) toolCommand(args string) (string, error) {
	verb, rest, _ := strings.Cut(args, " ")
	names := strings.Fields(rest)
	switch {
	case verb == "enable" && len(names) > 0:
		return "Enabled: " + strings.Join(names, ", "), s.ConfigureTools(names, nil)
	case verb == "disable" && len(names) > 0:
		return "Disabled: " + strings.Join(names, ", "), s.ConfigureTools(nil, names)
	case (verb == "stop" || verb == "resume") && len(names) > 0:
		for _, n := range names {
			if err := s.SetCircuit(n, verb == "stop"); err != nil {
				return "", err
			}
		}
		return map[string]string{"stop": "Stopped for a while: ", "resume": "Back again: "}[verb] + strings.Join(names, ", "), nil
	case verb == "list" || verb == "":
		stopped := map[string]bool{}
		for _, c := range s.Circuits() {
			stopped[c.Tool] = c.Open
		}
		var out strings.Builder
		for _, t := range s.Tools() {
			state := "on"
			if !t.Enabled {
				state = "off"
			}
			if stopped[t.Name] {
				state += ", stopped after faults"
			}
			fmt.Fprintf(&out, "- `%s` (%s, %s): %s\n", t.Name, t.Level, state, t.Title)
		}
		return out.String(), nil
	}
	return "", &Error{Kind: ErrInvalid, Message: "Use /tool enable NAME, /tool disable NAME, /tool stop NAME, /tool resume NAME or /tool list."}
}

func (s *Session) modeCommand(args string) (string, error) {
	if args == "" {
		var out strings.Builder
		for _, m := range Modes() {
			mark := ""
			if m.ID == s.Mode() {
				mark = " (now)"
			}
			fmt.Fprintf(&out, "- `%s`%s: %s\n", m.ID, mark, m.Description)
		}
		return out.String(), nil
	}
	return "Mode: " + args, s.SetMode(args)
}

func (s *Session) modelCommand(args string) (string, error) {
	if args == "" {
		return "Model: " + s.ModelName(), nil
	}
	return "Model: " + args, s.SetModel(args)
}

func (s *Session) helpCommand(string) (string, error) {
	var out strings.Builder
	for _, c := range s.Commands() {
		fmt.Fprintf(&out, "- `/%s`: %s\n", strings.TrimSpace(c.Name+" "+c.Input), c.Description)
	}
	return out.String(), nil
}

func (t *turn) undoCommand(args string) (string, error) {
	done, err := t.undo(args)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Undone: turn %s\n", done.TurnID)
	for _, p := range done.Restored {
		fmt.Fprintf(&out, "- put back: `%s`\n", p)
	}
	for _, c := range done.Conflicts {
		fmt.Fprintf(&out, "- left alone: `%s`: %s\n", c.Path, c.Reason)
	}
	return out.String(), nil
}

// clearCommand forgets the conversation.
func (t *turn) clearCommand(string) (string, error) {
	s := t.s
	s.mu.Lock()
	n := len(s.history)
	s.mu.Unlock()
	s.setHistory(t.id, nil)
	s.forgetAll()
	return fmt.Sprintf("The model has forgotten the conversation (%d messages). It reads files again before it edits them.", n), nil
}
