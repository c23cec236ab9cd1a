package agent

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agentd-dev/agentd/tools"
)

// Rules are the user's standing orders: what runs without a question, and what
// never runs. They come from the user's own config file, never from a
// workspace.
type Rules struct {
	// Allow and Deny hold patterns by the name of a tool, in which "*" stands
	// for any text.
	//
	// A pattern for run_command is a command as one types it: its words are
	// compared with those of each program that a command runs, "*" in a word
	// stands for any text, and as the last word for any further words, none
	// included. Options that a pattern of Deny does not name do not matter
	// where they stand. A pattern for a tool that names files is a glob; one without a
	// slash is for that name in any folder. "*" alone is for every call.
	Allow map[string][]string `json:"allow"`
	Deny  map[string][]string `json:"deny"`
}

// Check reports patterns that cannot be understood and tools that do not exist.
func (r *Rules) Check(exists func(tool string) bool) error {
	for kind, rules := range map[string]map[string][]string{"allow": r.Allow, "deny": r.Deny} {
		for tool, patterns := range rules {
			if !strings.ContainsRune(tool, '*') && !strings.HasPrefix(tool, "mcp__") && !exists(tool) {
				return fmt.Errorf("%s: there is no tool %q", kind, tool)
			}
			if _, err := path.Match(tool, ""); err != nil {
				return fmt.Errorf("%s: the name %q is no pattern", kind, tool)
			}
			for _, p := range patterns {
				if strings.TrimSpace(p) == "" {
					return fmt.Errorf("%s: %s: a pattern is empty", kind, tool)
				}
				if tool != "run_command" && !doublestar.ValidatePattern(p) {
					return fmt.Errorf("%s: %s: the pattern %q cannot be understood", kind, tool, p)
				}
			}
		}
	}
	return nil
}

// denied gives the rule that forbids a call; "" if none does. One part that a
// rule fits is enough.
func (r *Rules) denied(req *tools.Request, roots []string) string {
	return match(r.Deny, req, func(p string) bool {
		return p == "*" || slices.ContainsFunc(req.Plan.Parts, func(part tools.Part) bool { return fits(p, part, roots, true) })
	})
}

// allowed gives a rule that lets a call run; "" if none does. Each part that is
// not safe needs one, and what is no part cannot be allowed. A pattern with a
// "*" is for what is sensitive; what is dangerous has to be named.
func (r *Rules) allowed(req *tools.Request, roots []string) string {
	if req.Plan.Loose {
		return ""
	}
	parts := slices.DeleteFunc(slices.Clone(req.Plan.Parts), func(p tools.Part) bool { return p.Level == tools.Safe })
	if len(parts) == 0 {
		parts = []tools.Part{{Level: req.Level}}
	}
	rule := ""
	for _, part := range parts {
		if part.Level == "" {
			part.Level = req.Level
		}
		rule = match(r.Allow, req, func(p string) bool {
			if part.Level == tools.Dangerous && strings.ContainsAny(p, "*?[{") {
				return false
			}
			return p == "*" || fits(p, part, roots, false)
		})
		if rule == "" {
			return ""
		}
	}
	return rule
}

// match finds the first pattern, in a stable order, that is for the tool of a
// request and fits.
func match(rules map[string][]string, req *tools.Request, fit func(pattern string) bool) string {
	names := make([]string, 0, len(rules))
	for tool := range rules {
		if ok, _ := path.Match(tool, req.Call.Tool.Name); ok {
			names = append(names, tool)
		}
	}
	slices.Sort(names)
	for _, tool := range names {
		for _, p := range rules[tool] {
			if fit(p) {
				return tool + ": " + p
			}
		}
	}
	return ""
}

// fits compares a pattern with a part of a call. In doubt a part is denied and
// not allowed: a word that is not known in advance fits what may be denied, and
// a program is denied by its name wherever it lies.
func fits(pattern string, part tools.Part, roots []string, deny bool) bool {
	if part.Path != "" {
		return fitsPath(pattern, part.Path, roots)
	}
	if len(part.Words) == 0 {
		return false
	}
	words := part.Words
	if deny && words[0] != tools.UnknownWord {
		words = slices.Clone(words)
		words[0] = path.Base(filepath.ToSlash(words[0]))
	}
	if deny && len(words) == 1 && words[0] == tools.UnknownWord {
		return true // it may be anything
	}
	want := strings.Fields(pattern)
	at := map[int]bool{0: true} // where in words the next one of want may be
	for i, w := range want {
		if deny && i > 0 {
			skipOptions(words, at)
		}
		next := map[int]bool{}
		for k := range at {
			switch {
			case w == "*" && i == len(want)-1:
				if deny || !slices.Contains(words[k:], tools.UnknownWord) {
					return true
				}
			case k < len(words) && fitsWord(w, words[k], deny):
				next[k+1] = true
			}
		}
		at = next
	}
	return at[len(words)]
}

// skipOptions adds the places behind options, with and without a value: what is
// denied as "git push" is denied as "git -C . push", too.
func skipOptions(words []string, at map[int]bool) {
	for k := range words {
		if at[k] && strings.HasPrefix(words[k], "-") {
			at[k+1] = true
			if k+2 <= len(words) {
				at[k+2] = true
			}
		}
	}
}

func fitsWord(pattern, word string, deny bool) bool {
	if word == tools.UnknownWord {
		return deny
	}
	before, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == word
	}
	if !strings.HasPrefix(word, before) {
		return false
	}
	for word = word[len(before):]; ; word = word[1:] {
		if fitsWord(rest, word, deny) {
			return true
		}
		if word == "" {
			return false
		}
	}
}

// fitsPath compares a glob with an absolute path: as it is, below each root,
// and by its name.
func fitsPath(pattern, file string, roots []string) bool {
	file = filepath.ToSlash(file)
	names := []string{file}
	for _, r := range roots {
		if rel, err := filepath.Rel(r, filepath.FromSlash(file)); err == nil {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if !strings.Contains(pattern, "/") {
		names = append(names, path.Base(file))
	}
	return slices.ContainsFunc(names, func(n string) bool { return doublestar.MatchUnvalidated(pattern, n) })
}
