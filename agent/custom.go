package agent

import (
	"context"
	"iter"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// CustomCommand is a slash command that is a prompt: a Markdown file, whose name
// is that of the command. In its text $ARGUMENTS stands for all that the person
// types after the name, $1 to $9 for single words.
type CustomCommand struct {
	Name        string
	Description string
	Hint        string // what may follow
	Text        string
}

// commandName is a name that a command can have.
var commandName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// ParseCommand reads a command from a file. Front matter may give "description"
// and "argument-hint"; else the first line of the text describes it. ok is false
// if the file is none.
func ParseCommand(file, text string) (c CustomCommand, ok bool) {
	c.Name = strings.TrimSuffix(path.Base(file), ".md")
	meta, body := frontMatter(text)
	c.Description, c.Hint, c.Text = oneLine(meta["description"]), oneLine(meta["argument-hint"]), cutText(strings.TrimSpace(body), mostInstructions)
	if c.Description == "" {
		line, _, _ := strings.Cut(c.Text, "\n")
		c.Description = shorten(oneLine(strings.TrimLeft(line, "# ")), 80)
	}
	return c, commandName.MatchString(c.Name) && c.Text != ""
}

var placeholder = regexp.MustCompile(`\$(ARGUMENTS|[1-9])`)

// prompt is the command's text with its arguments in place. Where the text has no
// place for them they come after it.
func (c CustomCommand) prompt(args string) string {
	if !placeholder.MatchString(c.Text) {
		return strings.TrimSpace(c.Text + "\n\n" + args)
	}
	words := strings.Fields(args)
	return placeholder.ReplaceAllStringFunc(c.Text, func(p string) string {
		if p == "$ARGUMENTS" {
			return args
		}
		if n, err := strconv.Atoi(p[1:]); err == nil && n <= len(words) {
			return words[n-1]
		}
		return ""
	})
}

// workspaceCommands is where a workspace has its commands.
const workspaceCommands = ".agentd/commands"

// maxCommands bounds the commands of one place.
const maxCommands = 200

// loadCommands finds the session's custom commands: those of the user, and those
// of the workspace if the person trusts it. Built-in ones cannot be replaced. It
// reports whether they are others than before.
func (s *Session) loadCommands() (changed bool) {
	var all []CustomCommand
	if f := s.agent.cfg.UserCommands; f != nil {
		all = f()
	}
	if s.trusted {
		for _, root := range s.files.Roots() {
			all = append(all, s.commandsIn(path.Join(root, workspaceCommands))...)
		}
	}
	taken := map[string]bool{}
	for _, c := range slashCommands() {
		taken[c.Name] = true
	}
	var custom []CustomCommand
	for _, c := range all {
		if !taken[c.Name] {
			taken[c.Name] = true
			custom = append(custom, c)
		}
	}
	slices.SortFunc(custom, func(a, b CustomCommand) int { return strings.Compare(a.Name, b.Name) })
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = !slices.Equal(custom, s.custom)
	s.custom = custom
	return changed
}

// customCommands gives them; the list is not changed.
func (s *Session) customCommands() []CustomCommand {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.custom
}

// refreshCommands looks for commands that are new or have changed, and tells the
// client.
func (t *turn) refreshCommands() {
	if t.s.loadCommands() {
		t.emit(CommandsEvent{t.s.Commands()})
	}
}

func (s *Session) commandsIn(dir string) (list []CustomCommand) {
	for name, text := range s.markdownIn(dir) {
		if c, ok := ParseCommand(name, text); ok {
			list = append(list, c)
		}
	}
	return list
}

// markdownIn gives the Markdown files of a folder of the workspace, in the order
// of names.
func (s *Session) markdownIn(dir string) iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		_, entries, err := s.files.List(context.Background(), dir)
		if err != nil {
			return
		}
		n := 0
		for _, e := range entries {
			if e.Kind != "file" || !strings.HasSuffix(e.Name, ".md") || n >= maxCommands {
				continue
			}
			n++
			f, err := s.files.Read(context.Background(), path.Join(dir, e.Name))
			if err != nil {
				continue
			}
			if text, err := f.Text(); err == nil && !yield(e.Name, text) {
				return
			}
		}
	}
}

// Commands lists the slash commands of the session.
func (s *Session) Commands() []SlashCommand {
	out := Commands()
	for _, c := range s.customCommands() {
		out = append(out, SlashCommand{c.Name, c.Description, c.Hint})
	}
	for _, p := range s.serverPrompts() {
		out = append(out, SlashCommand{p.Command, p.Description, p.Usage()})
	}
	return out
}

// expand puts the text of a custom command in the place of its name.
func (s *Session) expand(blocks []ContentBlock) []ContentBlock {
	if len(blocks) == 0 || blocks[0].Type != "text" || !strings.HasPrefix(blocks[0].Text, "/") {
		return blocks
	}
	name, args := commandLine(blocks[0].Text)
	custom := s.customCommands()
	i := slices.IndexFunc(custom, func(c CustomCommand) bool { return c.Name == name })
	if i < 0 {
		return blocks
	}
	first := blocks[0]
	first.Text = custom[i].prompt(args)
	return append([]ContentBlock{first}, blocks[1:]...)
}
