package shell

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// finding is what a rule says of a program or of one of its arguments.
type finding struct {
	level  tools.Level
	reason string
}

var fine = finding{level: safe}

// worse gives the worse of two findings.
func (f finding) worse(g finding) finding {
	if rankOf(g.level) > rankOf(f.level) {
		return g
	}
	return f
}

func ask(reason string) finding { return finding{sensitive, reason} }

func alarm(reason string) finding { return finding{dangerous, reason} }

// harmlessFiles are devices that may be read and written.
var harmlessFiles = map[string]bool{
	"/dev/null": true, "/dev/stdin": true, "/dev/stdout": true, "/dev/stderr": true,
	"/dev/fd/0": true, "/dev/fd/1": true, "/dev/fd/2": true,
}

// readable judges a file that is read.
func (c *classifier) readable(a arg) finding {
	switch {
	case a.known && (a.text == "-" || a.text == "" || harmlessFiles[a.text]):
		return fine
	case !a.known && !a.inside:
		return ask("the name of a file that it reads is not known in advance")
	}
	where, p := c.place(a)
	switch {
	case p == editstate.Credentials || p == editstate.OwnState:
		return alarm("it reads " + string(p))
	case where == insideRoots:
		return fine
	case where == unknownPlace:
		return ask("the name of a file that it reads is not known in advance")
	}
	return ask("it reads outside the workspace")
}

// writable judges a file that is written, made or removed.
func (c *classifier) writable(a arg) finding {
	if a.known && harmlessFiles[a.text] {
		return fine
	}
	where, p := c.place(a)
	switch {
	case where == outsideRoots:
		return alarm("it writes outside the workspace")
	case where == unknownPlace:
		return alarm("the name of a file that it writes is not known in advance")
	case p != editstate.Unprotected:
		return alarm("it writes to " + string(p))
	}
	return ask("it writes files")
}

// insidePath reports whether a word names nothing but ordinary files of the
// workspace.
func (c *classifier) insidePath(a arg) bool {
	where, p := c.place(a)
	return where == insideRoots && p == editstate.Unprotected
}

type placeKind int

const (
	insideRoots placeKind = iota
	outsideRoots
	unknownPlace
)

// place finds out where a path lies.
func (c *classifier) place(a arg) (placeKind, editstate.Protection) {
	switch {
	case a.inside:
		return insideRoots, editstate.Unprotected
	case a.tilde:
		return outsideRoots, editstate.Unprotected
	case !a.known:
		return unknownPlace, editstate.Unprotected
	}
	if !a.glob {
		return c.placeOf(a.text)
	}
	i := strings.IndexAny(a.text, "*?[")
	if strings.Contains(a.text[max(i, 0):], "..") || classes.MatchString(a.text) {
		return unknownPlace, editstate.Unprotected
	}
	// What it may stand for: the folder that it names for certain, and the
	// name without its wildcards, as in ".env*".
	where, p := c.placeOf(a.text[:strings.LastIndexByte(a.text[:max(i, 0)], '/')+1])
	if _, q := c.placeOf(wildcards.Replace(a.text)); p == editstate.Unprotected {
		p = q
	}
	if where != insideRoots || p == editstate.Credentials {
		return where, p
	}
	// And what it stands for now; before the command runs it is looked at again.
	there, q := c.matched(a.text)
	if q == editstate.Unprotected {
		q = p
	}
	return there, q
}

// several reports whether a word may stand for several, or for none.
func (c *classifier) several(a arg) bool {
	if !a.glob || !a.known {
		return a.split
	}
	if c.env == nil {
		return a.split
	}
	if classes.MatchString(a.text) || c.lost {
		return true
	}
	for _, dir := range c.dirs {
		full := a.text
		if !filepath.IsAbs(full) {
			full = quoteMeta.Replace(dir) + "/" + full
		}
		if files, err := filepath.Glob(strings.ReplaceAll(full, "[!", "[^")); err != nil || len(files) > 0 {
			return true
		}
	}
	return a.split // the shell leaves it as it is
}

// classes finds what only the shell understands in the brackets of a pattern.
var classes = regexp.MustCompile(`\[[:=.]`)

// mostMatches is how many files of a wildcard are looked at. What stands for
// more is not known.
const mostMatches = 5000

// matched finds out where the files lie for which the shell puts a pattern, and
// whether one of them is protected.
func (c *classifier) matched(pattern string) (placeKind, editstate.Protection) {
	if c.env == nil {
		return insideRoots, editstate.Unprotected
	}
	dirs := c.dirs
	if filepath.IsAbs(pattern) {
		dirs = []string{""}
	}
	there, worst, seen := insideRoots, editstate.Unprotected, 0
	for _, dir := range dirs {
		full := pattern
		if dir != "" {
			full = quoteMeta.Replace(dir) + "/" + pattern
		}
		files, err := filepath.Glob(strings.ReplaceAll(full, "[!", "[^"))
		if seen += len(files); err != nil || seen > mostMatches {
			return unknownPlace, editstate.Unprotected
		}
		for _, f := range files {
			if !showsHidden(pattern, f) {
				continue
			}
			where, p := c.placeOf(f)
			if where != insideRoots {
				there = where
			}
			if p != editstate.Unprotected && worst != editstate.Credentials {
				worst = p
			}
		}
	}
	return there, worst
}

var quoteMeta = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// showsHidden reports whether the shell, too, puts the file for the pattern: it
// takes a name that begins with a dot only where the pattern does.
func showsHidden(pattern, file string) bool {
	want, have := strings.Split(filepath.Clean(pattern), "/"), strings.Split(file, "/")
	for i := 1; i <= min(len(want), len(have)); i++ {
		w, h := want[len(want)-i], have[len(have)-i]
		if strings.HasPrefix(h, ".") && strings.IndexAny(w, "*?[") == 0 {
			return false
		}
	}
	return true
}

var wildcards = strings.NewReplacer("*", "", "?", "", "[", "", "]", "")

// placeOf finds out where a path lies in every folder in which the command may
// run.
func (c *classifier) placeOf(path string) (placeKind, editstate.Protection) {
	if strings.ContainsRune(path, 0) {
		return unknownPlace, editstate.Unprotected
	}
	abs := filepath.IsAbs(path) || strings.HasPrefix(path, "/")
	if c.env == nil {
		if abs || escapes(path) {
			return outsideRoots, editstate.Unprotected
		}
		return insideRoots, editstate.Unprotected
	}
	if abs {
		return c.resolve(path)
	}
	if c.lost || len(c.dirs) == 0 {
		return unknownPlace, editstate.Unprotected
	}
	worst := editstate.Unprotected
	for _, dir := range c.dirs {
		where, p := c.resolve(dir + "/" + path)
		if where != insideRoots {
			return where, p
		}
		if p != editstate.Unprotected {
			worst = p
		}
	}
	return insideRoots, worst
}

func (c *classifier) resolve(path string) (placeKind, editstate.Protection) {
	// ".." is resolved by the system after links, by Resolve before them.
	if loc, err := c.env.Files.Resolve(path); err == nil && !throughLink(path) {
		return insideRoots, c.env.Files.Protection(loc)
	}
	return outsideRoots, editstate.Unprotected
}

// throughLink reports whether a path goes up again from what is a symbolic
// link: the system then goes up from where the link leads.
func throughLink(path string) bool {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if p != ".." || i == 0 {
			continue
		}
		before := strings.Join(parts[:i], "/")
		real, err := filepath.EvalSymlinks(before)
		if err != nil || real != filepath.Clean(before) {
			// The root itself may be named through a link; then it is asked.
			return true
		}
	}
	return false
}

func escapes(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}
