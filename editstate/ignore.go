package editstate

import (
	"bytes"
	"strings"
)

// ignoreRule is one line of a .gitignore file.
type ignoreRule struct {
	pattern string
	negated bool // "!": takes back what an earlier rule ignores
	dirOnly bool // "name/": folders only
	path    bool // holds a slash: matched against the path below the file's folder
	exact   bool // no wildcards
	suffix  bool // "*" and then no wildcards
}

// ignoreScope is an ignore file with those that hold around it. The innermost
// rule that matches decides.
type ignoreScope struct {
	outer *ignoreScope
	dir   string // the folder of the file: slashes, no slash at the end
	rules []ignoreRule
	user  bool // not a file of the tree
}

// special are the characters that make a pattern more than a name.
const special = `*?[\`

// parseIgnore reads the text of an ignore file as git does.
func parseIgnore(text []byte) []ignoreRule {
	var rules []ignoreRule
	for raw := range bytes.Lines(bytes.TrimPrefix(text, bomUTF8)) {
		line := strings.TrimSuffix(string(raw), "\n")
		line = trimTrailingBlanks(strings.TrimSuffix(line, "\r"))
		if line == "" || line[0] == '#' {
			continue
		}
		if r, ok := parseIgnoreRule(line); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseIgnoreRule(line string) (ignoreRule, bool) {
	r := ignoreRule{pattern: line}
	if p, ok := strings.CutPrefix(r.pattern, "!"); ok {
		r.pattern, r.negated = p, true
	}
	if p, ok := strings.CutSuffix(r.pattern, "/"); ok {
		r.pattern, r.dirOnly = p, true
	}
	r.path = strings.Contains(r.pattern, "/")
	r.pattern = strings.TrimPrefix(r.pattern, "/")
	if r.pattern == "" {
		return r, false
	}
	r.exact = !strings.ContainsAny(r.pattern, special)
	r.suffix = r.pattern[0] == '*' && !strings.ContainsAny(r.pattern[1:], special)
	return r, true
}

// trimTrailingBlanks drops blanks at the end unless a backslash keeps them.
func trimTrailingBlanks(s string) string {
	keep := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		keep = min(i+1, len(s))
	}
	return s[:keep]
}

// match applies the rule to an entry; path is below the rule's folder.
func (r *ignoreRule) match(path, name string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if r.path {
		if r.exact {
			return path == r.pattern
		}
		// Git takes the part without wildcards off first, so that "**" after
		// it counts as a whole component.
		plain := strings.IndexAny(r.pattern, special)
		rest, ok := strings.CutPrefix(path, r.pattern[:plain])
		return ok && wildmatch(r.pattern[plain:], rest, true)
	}
	switch {
	case r.exact:
		return name == r.pattern
	case r.suffix:
		return strings.HasSuffix(name, r.pattern[1:])
	}
	return wildmatch(r.pattern, name, false)
}

// ignored reports whether the entry name of the folder dir is ignored. The
// folder itself is not: nobody asks about what is in an ignored one.
func (s *ignoreScope) ignored(dir, name string, isDir bool) bool {
	r := s.decides(dir, name, isDir)
	return r != nil && !r.negated
}

// decides gives the rule that matches last; nil if none does.
func (s *ignoreScope) decides(dir, name string, isDir bool) *ignoreRule {
	for ; s != nil; s = s.outer {
		prefix := ""
		if len(dir) > len(s.dir) {
			prefix = dir[len(s.dir)+1:] + "/"
		}
		for i := len(s.rules) - 1; i >= 0; i-- {
			r := &s.rules[i]
			path := name
			if r.path {
				path = prefix + name
			}
			if r.match(path, name, isDir) {
				return r
			}
		}
	}
	return nil
}

// inner adds the rules of an ignore file in dir.
func (s *ignoreScope) inner(dir string, text []byte) *ignoreScope {
	rules := parseIgnore(text)
	if len(rules) == 0 {
		return s
	}
	return &ignoreScope{outer: s, dir: dir, rules: rules}
}

// anyFile reports whether an ignore file of the tree holds here.
func (s *ignoreScope) anyFile() bool {
	for ; s != nil; s = s.outer {
		if !s.user {
			return true
		}
	}
	return false
}
