package search

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// sequence is bash's {1..9}, which would be taken for a name.
var sequence = regexp.MustCompile(`\{[^{},]*\.\.[^{},]*\}`)

// extended are the operators of extended globs, which would be taken for
// names.
var extended = regexp.MustCompile(`[!@+]\([^()]*\)|[?*]\([^()]*\|[^()]*\)`)

// checkGlob refuses what cannot be matched or would be matched in another way
// than it is meant.
func checkGlob(what, glob string) error {
	const can = "There are * ? [abc] {a,b} and ** as a whole part of the path."
	switch {
	case glob == "":
		return invalid(fmt.Sprintf("the %s is empty", what), "Give a pattern such as **/*.go.")
	case strings.ContainsRune(glob, 0):
		return invalid(fmt.Sprintf("the %s holds a NUL character", what), can)
	case !doublestar.ValidatePattern(glob):
		return invalid(fmt.Sprintf("the %s %q is not a valid glob: a bracket or brace is not closed", what, glob), can)
	case extended.MatchString(glob):
		return invalid(fmt.Sprintf("the %s %q uses an extended glob (%s), which is not supported", what, glob, extended.FindString(glob)), can)
	case sequence.MatchString(glob):
		return invalid(fmt.Sprintf("the %s %q uses a sequence (%s), which is not supported", what, glob, sequence.FindString(glob)), can)
	}
	for part := range strings.SplitSeq(glob, "/") {
		if strings.Contains(strings.ReplaceAll(part, `\*`, ""), "**") && part != "**" && !strings.ContainsAny(part, "{}") {
			return invalid(fmt.Sprintf("in the %s %q, ** is a part of a name", what, glob), "Write ** as a whole part, e.g. **/*.go.")
		}
	}
	return nil
}

// filter chooses files by include and exclude globs.
type filter struct {
	include []string
	exclude []string
}

// newFilter reads lists of globs that are parted by commas. "!glob" in the
// include list excludes.
func newFilter(include, exclude string) (*filter, error) {
	f := &filter{}
	for _, g := range splitGlobs(include) {
		if rest, ok := strings.CutPrefix(g, "!"); ok {
			f.exclude = append(f.exclude, rest)
			continue
		}
		f.include = append(f.include, g)
	}
	for _, g := range splitGlobs(exclude) {
		f.exclude = append(f.exclude, strings.TrimPrefix(g, "!"))
	}
	for _, list := range []struct {
		what  string
		globs []string
	}{{"include", f.include}, {"exclude", f.exclude}} {
		for i, g := range list.globs {
			if err := checkGlob(list.what, g); err != nil {
				return nil, err
			}
			list.globs[i] = normal(g)
		}
	}
	return f, nil
}

// normal writes a glob without what does not count. "dir/" is all below dir.
func normal(glob string) string {
	glob = strings.TrimPrefix(glob, "./")
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	return glob
}

// splitGlobs splits at commas that are not in braces or brackets.
func splitGlobs(list string) []string {
	var out []string
	depth, from := 0, 0
	add := func(to int) {
		if g := strings.TrimSpace(list[from:to]); g != "" {
			out = append(out, g)
		}
		from = to + 1
	}
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth <= 0 {
				add(i)
			}
		}
	}
	add(len(list))
	return out
}

// wants reports whether a file is searched. rel is its path below the start of
// the search, prefix the start below the workspace, "" or ending in a slash.
func (f *filter) wants(prefix, rel, name string) bool {
	if len(f.include) > 0 && !anyGlob(f.include, prefix, rel, name) {
		return false
	}
	return !anyGlob(f.exclude, prefix, rel, name)
}

// enters reports whether a folder is searched: an exclude glob that names it
// leaves out all that is in it.
func (f *filter) enters(prefix, rel, name string) bool {
	return !anyGlob(f.exclude, prefix, rel, name)
}

// anyGlob matches a glob without a slash against the name, another one against
// the path below the start or the workspace.
func anyGlob(globs []string, prefix, rel, name string) bool {
	for _, g := range globs {
		if !strings.Contains(g, "/") {
			if doublestar.MatchUnvalidated(g, name) {
				return true
			}
			continue
		}
		if doublestar.MatchUnvalidated(g, rel) || prefix != "" && doublestar.MatchUnvalidated(g, prefix+rel) {
			return true
		}
	}
	return false
}
