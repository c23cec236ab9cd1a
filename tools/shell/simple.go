package shell

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agentd-dev/agentd/tools"
)

// call judges a simple command.
func (c *classifier) call(x *syntax.CallExpr) {
	for _, a := range x.Assigns {
		c.assign(a)
	}
	args := c.words(x.Args)
	if len(x.Assigns) > 0 {
		c.parts++ // what an assignment changes is covered by no prefix
	}
	if len(args) == 0 {
		return
	}
	f := c.program(args)
	if f.level == sensitive && c.prefix == "" && len(x.Assigns) == 0 {
		c.prefix = grantPrefix(args, c)
	}
	if f.level != safe {
		c.parts++
		c.worst(f.level, "%s", f.reason)
	}
}

// program judges a program with its arguments, the name first, and notes it for
// the user's rules.
func (c *classifier) program(args []arg) finding {
	f := c.judged(args)
	words := make([]string, len(args))
	for i, a := range args {
		if words[i] = a.text; !a.known || a.glob || a.tilde {
			words[i] = tools.UnknownWord
		}
	}
	c.v.runs = append(c.v.runs, tools.Part{Words: words, Level: f.level})
	return f
}

func (c *classifier) judged(args []arg) finding {
	name := args[0]
	if !name.known || name.glob && name.text != "[" || name.tilde {
		return alarm("which program it runs is not known in advance")
	}
	base, trusted := name.text, true
	if strings.ContainsAny(name.text, `/\`) {
		base = filepath.Base(filepath.ToSlash(name.text))
		trusted = systemFolders[filepath.ToSlash(filepath.Dir(name.text))]
	}
	if r, ok := risky[base]; ok {
		return alarm(r)
	}
	rule := ruleOf(base)
	if rule == nil {
		return c.ordinary(base, args[1:])
	}
	f := rule(c, base, args[1:])
	if f.level == safe {
		f = c.tree(base, args[1:])
	}
	switch {
	case f.level != safe:
		return f
	case !trusted:
		return ask("it runs a program by its path, not by its name")
	case !builtins[base] && c.shadowed(base):
		return ask("the program " + base + " comes from the workspace")
	}
	return f
}

// systemFolders hold programs that may be trusted by their name.
var systemFolders = map[string]bool{
	"/bin": true, "/usr/bin": true, "/usr/local/bin": true, "/sbin": true, "/usr/sbin": true, "/opt/homebrew/bin": true,
}

// shadowed reports whether PATH leads to the workspace before it leads to a
// program of that name elsewhere.
func (c *classifier) shadowed(name string) bool {
	if c.env == nil {
		return false
	}
	for _, dir := range filepath.SplitList(c.searchPath()) {
		if !filepath.IsAbs(dir) {
			return true
		}
		file := filepath.Join(dir, name)
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			continue
		}
		return c.inRoots(file) || c.inRoots(real)
	}
	return false // there is none: it will fail
}

// searchPath is the PATH with which the command will run, as far as it is
// known: start-up files are run with the first command only.
func (c *classifier) searchPath() string {
	if m, err := managerOf(c.env); err == nil {
		if p := m.logins.searchPath(); p != "" {
			return p
		}
	}
	return variable(c.env.Environ, "PATH")
}

func (c *classifier) inRoots(path string) bool {
	return slices.ContainsFunc(c.env.Files.Roots(), func(root string) bool {
		rel, err := filepath.Rel(root, path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// localName is a name that people give to variables of a script. A variable
// with another name may be one that programs look at.
var localName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// harmlessVars change how programs show things.
var harmlessVars = regexp.MustCompile(`^(LC_[A-Z]+|LANG|LANGUAGE|TZ|COLUMNS|LINES|NO_COLOR|CLICOLOR|FORCE_COLOR|TERM)$`)

// loadedVars make programs run or load something.
var loadedVars = regexp.MustCompile(`^(PATH|IFS|CDPATH|ENV|BASH.*|SHELLOPTS|PROMPT_COMMAND|PS[0-4]|LD_.*|DYLD_.*|GIT_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS.*|` +
	`PYTHON.*|PERL.*|RUBY.*|NODE_.*|npm_config_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GO(FLAGS|ROOT|PROXY|TOOLCHAIN|SUMDB|NOSUMDB|PRIVATE)|` +
	`RUSTC.*|CARGO.*|CC|CXX|MAKEFLAGS|SHELL|SSH_.*|HOME|XDG_.*|RIPGREP_CONFIG_PATH|AGENTD_.*|TMPDIR)$`)

// assign judges an assignment.
func (c *classifier) assign(a *syntax.Assign) {
	c.word(a.Value)
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			c.word(e.Value)
			if e.Index != nil {
				c.raise(sensitive, "it evaluates an array index")
				c.arithm(e.Index)
			}
		}
	}
	if a.Index != nil {
		c.raise(sensitive, "it evaluates an array index")
		c.arithm(a.Index)
	}
	if a.Name != nil {
		c.assigned(a.Name.Value)
	}
}

// assigned judges the name of a variable that gets a value.
func (c *classifier) assigned(name string) {
	delete(c.inside, name)
	switch {
	case loadedVars.MatchString(name):
		c.raise(dangerous, "it sets %s, which decides what programs run", name)
	case localName.MatchString(name), harmlessVars.MatchString(name):
	default:
		c.raise(sensitive, "it sets the variable %s", name)
	}
}

// redirect judges a redirection.
func (c *classifier) redirect(r *syntax.Redirect) {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		c.raise(sensitive, "it sets a variable to a file descriptor")
	}
	a := c.word(r.Word)
	switch r.Op {
	case syntax.RdrIn:
		c.finding(c.readable(a))
		c.piped = true
	case syntax.Hdoc, syntax.DashHdoc:
		c.word(r.Hdoc)
	case syntax.WordHdoc:
		c.piped = true
	case syntax.DplIn, syntax.DplOut:
		if a.known && descriptor.MatchString(a.text) {
			return
		}
		if r.Op == syntax.DplIn {
			c.raise(sensitive, "it reads from a descriptor that is not known")
			return
		}
		c.finding(c.writable(a))
	case syntax.RdrInOut, syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		c.finding(c.writable(a))
	default:
		c.raise(dangerous, "it uses a redirection that is not understood")
	}
}

var descriptor = regexp.MustCompile(`^([0-9]+-?|-)$`)

func (c *classifier) finding(f finding) { c.raise(f.level, "%s", f.reason) }
