package shell

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// maxNested bounds shells that are called in shells.
const maxNested = 4

// classifier judges one command line. Whatever it does not understand is
// dangerous, whatever it does not know is not safe.
type classifier struct {
	env *tools.Env // nil: judged by the text alone
	// dirs are the folders in which a part of the command may run, since a cd
	// may have failed; lost is set when they are not known any more.
	dirs []string
	lost bool
	// inside holds variables that are known to name files of the workspace;
	// true means that the name may look like an option.
	inside map[string]bool

	v      verdict
	parts  int    // that are sensitive
	prefix string // of a sensitive part
	depth  int
	piped  bool // the command reads from another one
}

// newClassifier makes a classifier for commands that run in dir.
func newClassifier(env *tools.Env, dir *editstate.Loc) *classifier {
	c := &classifier{env: env, inside: map[string]bool{}, v: verdict{level: safe}}
	if dir != nil {
		c.dirs = []string{dir.Path()}
	}
	return c
}

// judge judges a command line.
func (c *classifier) judge(command string) *verdict {
	if strings.ContainsRune(command, '\r') {
		c.raise(sensitive, "it holds a carriage return, which shells take for a part of a word")
	}
	if !posix && !plainCommand.MatchString(command) {
		c.raise(dangerous, "only plain commands are understood in PowerShell")
	} else {
		c.script(command)
	}
	if c.parts == 1 {
		c.v.prefix = c.prefix
	}
	return &c.v
}

// raise notes that a part of the command is of a level, and why.
func (c *classifier) raise(l tools.Level, reason string, a ...any) {
	if l == safe {
		return
	}
	c.parts++
	c.v.loose = true
	c.worst(l, reason, a...)
}

func (c *classifier) worst(l tools.Level, reason string, a ...any) {
	if rankOf(l) > rankOf(c.v.level) {
		c.v.level, c.v.reason = l, fmt.Sprintf(reason, a...)
	}
}

// script judges the text of a script.
func (c *classifier) script(text string) {
	if c.depth++; c.depth > maxNested {
		c.raise(dangerous, "shells are nested too deeply to be understood")
		return
	}
	defer func() { c.depth-- }()
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		c.raise(dangerous, "the command could not be parsed")
		c.v.runs = append(c.v.runs, tools.Part{Words: []string{tools.UnknownWord}, Level: dangerous})
		return
	}
	c.stmts(f.Stmts)
}

func (c *classifier) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

func (c *classifier) stmt(s *syntax.Stmt) {
	if s == nil {
		return
	}
	if s.Background || s.Disown {
		c.raise(sensitive, "it leaves a process in the background")
	}
	if s.Coprocess {
		c.raise(dangerous, "it starts a coprocess")
	}
	piped := c.piped
	for _, r := range s.Redirs {
		c.redirect(r)
	}
	c.command(s.Cmd)
	c.piped = piped
}

// command judges a command by its kind.
func (c *classifier) command(cmd syntax.Command) {
	switch x := cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		c.call(x)
	case *syntax.BinaryCmd:
		if x.Op == syntax.AndStmt {
			c.chain(andChain(x))
			return
		}
		c.stmt(x.X)
		if x.Op == syntax.Pipe || x.Op == syntax.PipeAll {
			c.piped = true
		}
		c.stmt(x.Y)
	case *syntax.TimeClause:
		c.stmt(x.Stmt)
	default:
		c.parts++ // no grant for a prefix
		c.compound(x)
	}
}

// andChain gives the commands that are joined by &&.
func andChain(x *syntax.BinaryCmd) []*syntax.Stmt {
	if b, ok := x.X.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt && len(x.X.Redirs) == 0 && !x.X.Negated {
		return append(andChain(b), x.Y)
	}
	return []*syntax.Stmt{x.X, x.Y}
}

// chain judges commands joined by &&. What follows a cd there runs only in the
// new folder.
func (c *classifier) chain(list []*syntax.Stmt) {
	before := c.dirs
	c.stmt(list[0])
	call, ok := list[0].Cmd.(*syntax.CallExpr)
	if ok && !list[0].Negated && len(call.Args) == 2 && call.Args[0].Lit() == "cd" && len(c.dirs) == len(before)+1 && len(before) == 1 {
		c.dirs = c.dirs[1:]
		defer func() { c.dirs = append(slices.Clone(before), c.dirs...) }()
	}
	c.stmts(list[1:])
}

// compound judges groups, conditions and loops.
func (c *classifier) compound(cmd syntax.Command) {
	switch x := cmd.(type) {
	case *syntax.Subshell:
		c.substitution(x.Stmts)
	case *syntax.Block:
		c.stmts(x.Stmts)
	case *syntax.IfClause:
		for i := x; i != nil; i = i.Else {
			c.stmts(i.Cond)
			c.stmts(i.Then)
		}
	case *syntax.WhileClause:
		c.loop(x.Cond, x.Do)
	case *syntax.ForClause:
		c.forClause(x)
	case *syntax.CaseClause:
		c.word(x.Word)
		for _, item := range x.Items {
			for _, p := range item.Patterns {
				c.word(p)
			}
			c.stmts(item.Stmts)
		}
	case *syntax.TestClause:
		c.test(x.X)
	case *syntax.ArithmCmd:
		c.arithm(x.X)
	case *syntax.LetClause:
		for _, e := range x.Exprs {
			c.arithm(e)
		}
	case *syntax.DeclClause:
		c.declare(x)
	case *syntax.FuncDecl:
		c.raise(dangerous, "it defines a function, which may stand for any program")
	default:
		c.raise(dangerous, "it uses a construct that is not understood")
	}
}

// loop judges what runs again and again: twice, since what is known of
// variables and folders after the first time holds for the second.
func (c *classifier) loop(lists ...[]*syntax.Stmt) {
	for range 2 {
		for _, l := range lists {
			c.stmts(l)
		}
	}
}

func (c *classifier) forClause(x *syntax.ForClause) {
	if x.Select {
		c.raise(sensitive, "it asks at the terminal")
	}
	switch l := x.Loop.(type) {
	case *syntax.WordIter:
		args := c.words(l.Items)
		c.assigned(l.Name.Value)
		inside, flag := len(args) > 0, false
		for _, a := range args {
			inside = inside && c.insidePath(a)
			flag = flag || a.mayBeFlag()
		}
		if inside {
			c.inside[l.Name.Value] = flag
		}
		defer delete(c.inside, l.Name.Value)
	case *syntax.CStyleLoop:
		c.arithm(l.Init)
		c.arithm(l.Cond)
		c.arithm(l.Post)
	}
	c.loop(x.Do)
}

// declare judges declare, local, export and their like.
func (c *classifier) declare(x *syntax.DeclClause) {
	c.raise(sensitive, "it declares variables")
	for _, a := range x.Args {
		if a.Name != nil {
			c.assign(a)
		} else if a.Value != nil {
			c.word(a.Value)
		}
	}
}
