package shell

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// insideVar looks whether a word is a variable that names files of the
// workspace. Without quotes its text is split, and a part may be an option.
func (c *classifier) insideVar(a *arg, p syntax.WordPart) {
	q, quoted := p.(*syntax.DblQuoted)
	if quoted && len(q.Parts) == 1 {
		p = q.Parts[0]
	}
	x, ok := p.(*syntax.ParamExp)
	if !ok || x.Param == nil || !plainParam(x) {
		return
	}
	if flag, known := c.inside[x.Param.Value]; known {
		a.inside, a.flag = true, flag || !quoted
	}
}

// plainParam reports whether an expansion is $x or ${x}.
func plainParam(x *syntax.ParamExp) bool {
	return !x.Excl && !x.Length && !x.Width && x.Index == nil && x.Slice == nil && x.Repl == nil && x.Names == 0 && x.Exp == nil &&
		!x.IsSet && x.Flags == nil && x.NestedParam == nil && len(x.Modifiers) == 0
}

// secretName finds variables that hold what the model should not see.
var secretName = regexp.MustCompile(`(?i)(key|token|secret|passw|passphrase|credential|auth|cookie|session|private|dsn|database_url)`)

// param judges the expansion of a variable.
func (c *classifier) param(x *syntax.ParamExp) {
	switch {
	case x.Excl, x.Names != 0, x.Flags != nil, x.NestedParam != nil, len(x.Modifiers) > 0, x.Width, x.IsSet, x.Param == nil:
		c.raise(sensitive, "it expands a variable in a way that may evaluate its text")
		return
	case secretName.MatchString(x.Param.Value):
		c.raise(sensitive, "it shows the variable %s, which may hold a secret", x.Param.Value)
	}
	if w, ok := x.Index.(*syntax.Word); x.Index != nil && (!ok || !plainIndex(w)) {
		c.raise(sensitive, "it evaluates an array index")
		c.arithm(x.Index)
	}
	if x.Slice != nil {
		c.arithm(x.Slice.Offset)
		c.arithm(x.Slice.Length)
	}
	if x.Repl != nil {
		c.word(x.Repl.Orig)
		c.word(x.Repl.With)
	}
	if x.Exp != nil {
		switch x.Exp.Op {
		case syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.OtherParamOps:
			c.raise(sensitive, "it sets a variable or evaluates its text")
		}
		c.word(x.Exp.Word)
	}
}

// plainIndex reports whether an array index is a number, @ or *.
func plainIndex(w *syntax.Word) bool {
	s := w.Lit()
	return s == "@" || s == "*" || isNumber(s)
}

// isCount reports whether an expansion is a number in any case.
func isCount(x *syntax.ParamExp) bool {
	return x.Length || x.Param != nil && plainParam(x) && strings.Contains("?#$!", x.Param.Value)
}

// severalWords reports whether an expansion may give several words even if it
// is quoted, as "$@" and "${a[@]}" do.
func severalWords(x *syntax.ParamExp) bool {
	several := x.Names != 0
	syntax.Walk(x, func(n syntax.Node) bool {
		if e, ok := n.(*syntax.ParamExp); ok {
			w, _ := e.Index.(*syntax.Word)
			several = several || e.Param == nil || e.Param.Value == "@" || w != nil && w.Lit() == "@"
		}
		return true
	})
	return several
}
