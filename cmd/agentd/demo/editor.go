package demo

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// editorCommand is the person's own editor, "" if there is none.
func editorCommand(env func(string) string) string {
	if e := env("VISUAL"); e != "" {
		return e
	}
	return env("EDITOR")
}

// editable is the change that the person can edit, if there is one.
func (p *person) editable(r *agent.ConfirmRequest) *editstate.Change {
	if !p.input.terminal || editorCommand(os.Getenv) == "" || len(r.Changes) != 1 || r.Changes[0].NewText == nil {
		return nil
	}
	return r.Changes[0]
}

// edit opens the proposed text in the person's editor: what they leave there
// is what is written.
func (p *person) edit(ctx context.Context, c *editstate.Change) (tools.Answer, error) {
	text, err := editText(ctx, editorCommand(os.Getenv), filepath.Base(c.Path), *c.NewText)
	if ctx.Err() != nil {
		return tools.Answer{}, context.Cause(ctx)
	}
	if err != nil {
		p.say(red, "the editor failed: "+err.Error())
		return tools.Answer{}, errAgain
	}
	if text == *c.NewText {
		p.say(dim, "The text is as it was.")
		return tools.Answer{}, errAgain
	}
	line, err := p.input.ask(ctx, p.screen, "  write your text? [y]es  [n]o: ")
	if err != nil {
		return tools.Answer{}, err
	}
	if line = strings.ToLower(line); line != "y" && line != "yes" {
		return tools.Answer{}, errAgain
	}
	p.say(green, "allowed, with your text")
	return tools.Answer{Decision: tools.Allow, Edits: []tools.EditedText{{URI: c.URI, Text: &text}}}, nil
}

// editText opens a text in an editor and gives what is left there.
func editText(ctx context.Context, editor, name, text string) (string, error) {
	dir, err := os.MkdirTemp("", "agentd-edit-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", err
	}
	words := strings.Fields(editor)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	b, err := os.ReadFile(file)
	return string(b), err
}
