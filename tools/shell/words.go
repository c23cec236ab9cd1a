package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// arg is a word of a command as far as it is known before the command runs.
type arg struct {
	text  string // if known; else the part before what is not known
	known bool   // text is the word, except for glob and tilde
	glob  bool   // it has wildcards that are not quoted
	tilde bool   // it begins with a tilde that is not quoted
	split bool   // it may become several words, or none
	// inside is set when the text is not known, but it is the name of a file
	// of the workspace.
	inside bool
	flag   bool // with inside: the name may look like an option
}

// unknownArg is a word of which nothing is known.
var unknownArg = arg{}

// mayBeFlag reports whether the program may take the word for an option.
func (a arg) mayBeFlag() bool {
	switch {
	case a.inside:
		return a.flag
	case strings.HasPrefix(a.text, "-"), a.split:
		return true
	case !a.known:
		return a.text == ""
	}
	return a.glob && strings.IndexAny(a.text, "*?[") == 0
}

// words judges words and gives what is known of them, after brace expansion.
func (c *classifier) words(list []*syntax.Word) []arg {
	var out []arg
	for _, w := range list {
		for _, one := range braces(w) {
			out = append(out, c.word(one))
		}
	}
	return out
}

// braces expands {a,b}. What is too much comes as it is, marked by its brace.
func braces(w *syntax.Word) []*syntax.Word {
	commas := 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			commas += strings.Count(l.Value, ",")
			if strings.Contains(l.Value, "..") && strings.Contains(l.Value, "{") {
				return []*syntax.Word{w}
			}
		}
	}
	if commas == 0 || commas > 8 {
		return []*syntax.Word{w}
	}
	cp := *w
	cp.Parts = append([]syntax.WordPart(nil), w.Parts...)
	if !syntax.SplitBraces(&cp) {
		return []*syntax.Word{w}
	}
	var out []*syntax.Word
	for one, err := range expand.BracesSeq(nil, &cp) {
		if err != nil {
			return []*syntax.Word{w}
		}
		if !slices.ContainsFunc(one.Parts, func(p syntax.WordPart) bool { l, ok := p.(*syntax.Lit); return !ok || l.Value != "" }) {
			continue // the shell drops it
		}
		out = append(out, one)
	}
	return out
}

// word judges what a word runs when it is expanded, and gives what is known of
// its text.
func (c *classifier) word(w *syntax.Word) arg {
	if w == nil {
		return arg{known: true}
	}
	a := arg{known: true}
	brace, comma, meta := false, false, false
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			a.literal(l.Value, i == 0)
			brace = brace || strings.Contains(l.Value, "{")
			comma = comma || strings.Contains(l.Value, ",") || strings.Contains(l.Value, "..")
			meta = meta || escapedMeta.MatchString(l.Value)
			continue
		}
		from := len(a.text)
		c.part(&a, p, false)
		meta = meta || strings.ContainsAny(a.text[from:], `*?[]\\`)
	}
	// A brace expansion that is left, and a pattern in which some wildcards are
	// quoted and others not.
	if brace && comma && len(w.Parts) > 1 || a.glob && meta {
		a.known, a.split = false, true
	}
	if len(w.Parts) == 1 {
		c.insideVar(&a, w.Parts[0])
	} else {
		a.inside = false
	}
	return a
}

// literal adds text that is not quoted.
func (a *arg) literal(s string, first bool) {
	if first && strings.HasPrefix(s, "~") {
		a.tilde = true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			switch i++; {
			case i == len(s):
				b.WriteByte('\\')
			case s[i] != '\n':
				b.WriteByte(s[i])
			}
			continue
		case '*', '?', '[':
			a.glob = true
		case '{':
			if strings.ContainsAny(s[i:], ",.") { // a brace expansion that is left
				a.add(b.String())
				a.known, a.split = false, true
				return
			}
		case '=', ':':
			if strings.HasPrefix(s[i+1:], "~") { // expanded in some places
				a.add(b.String())
				a.known = false
				return
			}
		}
		b.WriteByte(s[i])
	}
	a.add(b.String())
}

// add adds known text, unless something before it is not known.
func (a *arg) add(s string) {
	if a.known {
		a.text += s
	}
}

// part judges a part of a word. What an expansion gives is split into words,
// unless it is quoted.
func (c *classifier) part(a *arg, p syntax.WordPart, quoted bool) {
	switch x := p.(type) {
	case *syntax.Lit: // in double quotes
		a.add(dequote.Replace(x.Value))
	case *syntax.SglQuoted:
		if x.Dollar && strings.Contains(x.Value, `\`) {
			a.known = false
			return
		}
		a.add(x.Value)
	case *syntax.DblQuoted:
		if x.Dollar {
			c.raise(sensitive, "it translates a text")
			a.known = false
		}
		for _, q := range x.Parts {
			c.part(a, q, true)
		}
	case *syntax.ParamExp:
		c.param(x)
		a.known = false
		a.split = a.split || !(quoted || isCount(x)) || quoted && severalWords(x)
	case *syntax.CmdSubst:
		if x.TempFile || x.ReplyVar {
			c.raise(dangerous, "it uses a construct that is not understood")
		}
		c.substitution(x.Stmts)
		a.known = false
		a.split = a.split || !quoted
	case *syntax.ArithmExp:
		c.parts++
		c.arithm(x.X)
		a.known = false
	case *syntax.ProcSubst:
		if x.Op == syntax.CmdOut {
			c.raise(sensitive, "it writes into another command")
		}
		c.substitution(x.Stmts)
		a.known = false
		a.inside = true // the name of a pipe
	case *syntax.ExtGlob:
		// Its pattern is a text here, but the shell expands it.
		if strings.ContainsAny(x.Pattern.Value, "$`<>") {
			c.raise(dangerous, "it expands something in a pattern that is not understood")
		}
		a.known, a.split = false, true
	case *syntax.BraceExp:
		a.known, a.split = false, true
	default:
		c.raise(dangerous, "it uses a construct that is not understood")
		a.known = false
	}
}

// escapedMeta finds wildcards that are quoted by a backslash.
var escapedMeta = regexp.MustCompile(`\\[*?\[\]\\]`)

var dequote = strings.NewReplacer("\\\n", "", `\\`, `\`, `\"`, `"`, `\$`, `$`, "\\`", "`")

// substitution judges the commands of a substitution, whose place is a world of
// its own: what it does with folders stays there.
func (c *classifier) substitution(list []*syntax.Stmt) {
	dirs, lost, piped := c.dirs, c.lost, c.piped
	c.dirs = slices.Clone(dirs)
	c.parts++ // no grant for a prefix: the words are not known
	c.stmts(list)
	c.dirs, c.lost, c.piped = dirs, lost, piped
}

// plainCommand is a command that means the same in every shell.
var plainCommand = regexp.MustCompile(`^[A-Za-z0-9_./:=@+, -]+$`)
