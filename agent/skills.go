package agent

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// workspaceSkills is where a workspace has its skills.
	workspaceSkills = ".agents/skills"
	// skillFile is the file in the folder of a skill; see https://agentskills.io.
	skillFile = "SKILL.md"
	// maxSkills bounds the skills of a session, mostSkill the text of one.
	maxSkills = 100
	mostSkill = 64 << 10
)

// skill is a folder with instructions for a kind of task.
type skill struct {
	name, description string
	file              string // absolute
}

// loadSkills finds the skills of the user, and of the workspace if the person
// trusts it. Of two with one name the user's counts.
func (s *Session) loadSkills(trusted bool) {
	dirs := slices.Clone(s.agent.cfg.UserSkills)
	if trusted {
		for _, root := range s.files.Roots() {
			dirs = append(dirs, path.Join(filepath.ToSlash(root), workspaceSkills))
		}
	}
	for _, dir := range dirs {
		_, entries, err := s.files.List(context.Background(), dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if len(s.skills) >= maxSkills {
				return
			}
			file := path.Join(filepath.ToSlash(dir), e.Name, skillFile)
			text, err := s.readText(file)
			if err != nil {
				continue
			}
			meta, _ := frontMatter(text)
			k := skill{cmp.Or(meta["name"], e.Name), meta["description"], file}
			known := slices.ContainsFunc(s.skills, func(o skill) bool { return o.name == k.name })
			if k.description != "" && commandName.MatchString(k.name) && !known {
				s.skills = append(s.skills, k)
			}
		}
	}
}

func (s *Session) readText(file string) (string, error) {
	f, err := s.files.Read(context.Background(), file)
	if err != nil {
		return "", err
	}
	return f.Text()
}

// skillsText lists the skills for the system prompt.
func (s *Session) skillsText() string {
	if len(s.skills) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nSkills, to be loaded with load_skill:\n")
	for _, k := range s.skills {
		fmt.Fprintf(&b, "- %s: %s\n", k.name, shorten(strings.Join(strings.Fields(k.description), " "), 300))
	}
	return b.String()
}

// skill gives the instructions of a skill, for the model.
func (s *Session) skill(_ context.Context, name string) (string, error) {
	var names []string
	for _, k := range s.skills {
		if k.name != name {
			names = append(names, k.name)
			continue
		}
		text, err := s.readText(k.file)
		if err != nil {
			return "", err
		}
		_, body := frontMatter(text)
		return fmt.Sprintf("[The skill %s; its files are in %s]\n\n%s", name, s.files.DisplayPath(path.Dir(k.file)), cutText(strings.TrimSpace(body), mostSkill)), nil
	}
	return "", &tools.Error{Code: tools.CodeNotFound, Message: fmt.Sprintf("there is no skill %q", name), Hint: "The skills are " + strings.Join(names, ", ") + "."}
}
