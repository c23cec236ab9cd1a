package search

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
)

// meta are the characters that make a part of a glob more than a name.
const meta = `*?[]{}\`

// splitGlob splits a pattern into the folder that it names and the rest, so
// that only that folder is walked and a pattern that leads outside is refused
// like any other path. A part with brackets that is the name of an existing
// folder, such as [id], is taken for the name.
func splitGlob(w *editstate.Workspace, start editstate.Loc, pattern string) (base, rest string, err error) {
	base = start.Path()
	switch {
	case pattern == "~" || strings.HasPrefix(pattern, "~/"), filepath.IsAbs(filepath.FromSlash(pattern)):
		base = ""
	}
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		name, plain := part, !strings.ContainsAny(part, meta)
		if !plain && !last && strings.ContainsAny(part, "[]") && !strings.ContainsAny(part, `*?{}\`) {
			plain = w.IsFolder(join(base, name))
		}
		if !plain || last {
			rest = path.Clean(strings.Join(parts[i:], "/"))
			if last && name == "" { // "src/": all that is in it
				rest = "**"
			}
			break
		}
		if base == "" && i == 0 {
			base = name + "/" // the root, a drive, or ~
			continue
		}
		base = join(base, name)
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." {
			return "", "", invalid("a pattern cannot have .. after a wildcard", "Name the folder as path.")
		}
	}
	return base, rest, nil
}

func join(base, name string) string {
	if strings.HasSuffix(base, "/") {
		return base + name
	}
	return base + "/" + name
}

// namedParts gives the parts of globs that are plain names: folders that the
// caller has named.
func namedParts(globs ...string) []string {
	var out []string
	for _, g := range globs {
		parts := strings.Split(g, "/")
		for _, p := range parts[:len(parts)-1] {
			if p != "" && !strings.ContainsAny(p, meta) {
				out = append(out, p)
			}
		}
	}
	return out
}

// isMissing reports whether a folder does not exist.
func isMissing(err error) bool {
	var e *editstate.Error
	return errors.As(err, &e) && e.Code == editstate.NotFound
}
