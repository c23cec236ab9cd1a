package search

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/agentd-dev/agentd/tools"
)

// pattern is what to look for, line by line. It is safe for concurrent use.
type pattern struct {
	re    *regexp.Regexp
	prog  *syntax.Prog
	find  *finder // literals of which each match holds one; nil if there are none
	whole bool    // a literal found is a match
	odd   bool    // k or s, whose other case may lie outside ASCII, is folded
	cr    bool    // a carriage return is looked for: it is not cut off
}

// compile reads a pattern: an RE2 regular expression or, with literal set, a
// text to be found as it is.
func compile(text string, literal, ignoreCase bool) (*pattern, error) {
	if text == "" {
		return nil, invalid("the pattern is empty", "Give the text or the regular expression to look for; use glob_search to list files.")
	}
	expr := text
	if literal {
		expr = regexp.QuoteMeta(text)
	}
	flags := syntax.Perl
	if ignoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(expr, flags)
	if err != nil {
		return nil, explain(text, err)
	}
	if holds(tree, '\n') {
		return nil, invalid("the pattern holds a line end, but lines are searched one by one", "Search for a text within one line; context shows the lines around it.")
	}
	p := &pattern{cr: holds(tree, '\r')}
	if ignoreCase {
		expr = "(?i)" + expr
	}
	if p.re, err = regexp.Compile(expr); err != nil {
		return nil, explain(text, err)
	}
	simple := tree.Simplify()
	if p.prog, err = syntax.Compile(simple); err != nil {
		return nil, explain(text, err)
	}
	set := required(tree)
	if all, ok := exact(tree); ok && all.shortest() > 0 {
		p.whole = !all.fold || tree.Op == syntax.OpLiteral
		if p.whole {
			set = all
		}
	}
	if set.shortest() >= 3 || p.whole {
		p.find = newFinder(set.lits, set.fold)
		p.odd = set.fold && strings.ContainsAny(strings.ToLower(strings.Join(set.lits, "")), "ks")
	}
	return p, nil
}

// holds reports whether the expression has r as a literal.
func holds(re *syntax.Regexp, r rune) bool {
	if re.Op == syntax.OpLiteral {
		for _, x := range re.Rune {
			if x == r {
				return true
			}
		}
	}
	for _, sub := range re.Sub {
		if holds(sub, r) {
			return true
		}
	}
	return false
}

func invalid(message, hint string) *tools.Error {
	return &tools.Error{Code: tools.CodeInvalidArguments, Message: message, Hint: hint}
}

// literalHint is the way out of most errors in patterns.
const literalHint = `To find the text as it stands, set literal to true.`

// explain says what is wrong with a pattern, naming the construct.
func explain(text string, err error) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return invalid(fmt.Sprintf("the pattern %q is not valid: %v", text, err), literalHint)
	}
	at := se.Expr
	switch se.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrMissingRepeatArgument, syntax.ErrInvalidNamedCapture:
		for _, c := range unsupported {
			if strings.HasPrefix(at, c.start) || strings.Contains(text, c.start) && se.Code != syntax.ErrMissingRepeatArgument {
				return invalid(fmt.Sprintf("the pattern uses %s, %s), which RE2 does not have", c.name, c.start+"..."),
					"Search for a simpler pattern and look through the matches. "+literalHint)
			}
		}
	case syntax.ErrInvalidEscape:
		if len(at) == 2 && '1' <= at[1] && at[1] <= '9' {
			return invalid(fmt.Sprintf("the pattern uses a backreference (%s), which RE2 does not have", at), "Search for a simpler pattern and look through the matches. "+literalHint)
		}
		return invalid(fmt.Sprintf("the pattern has the escape %s, which RE2 does not know", at), `Write \\ for a backslash. `+literalHint)
	case syntax.ErrInvalidRepeatSize:
		return invalid(fmt.Sprintf("the repetition %s is not possible: at most 1000 repeats, in rising order", at), "Use a smaller count, or + or *.")
	case syntax.ErrInvalidRepeatOp:
		return invalid(fmt.Sprintf("the pattern has %s: possessive and double repetitions do not exist in RE2", at), "Use one repetition operator. "+literalHint)
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return invalid("the pattern is too large: its repetitions multiply", "Use smaller repeat counts.")
	case syntax.ErrMissingParen:
		return invalid(fmt.Sprintf("the pattern %q has a ( that is not closed", text), `Write \( for a parenthesis. `+literalHint)
	case syntax.ErrUnexpectedParen:
		return invalid(fmt.Sprintf("the pattern %q has a ) that was not opened", text), `Write \) for a parenthesis. `+literalHint)
	case syntax.ErrMissingBracket:
		return invalid(fmt.Sprintf("the pattern %q has a [ that is not closed", text), `Write \[ for a bracket. `+literalHint)
	case syntax.ErrTrailingBackslash:
		return invalid(fmt.Sprintf("the pattern %q ends with a backslash", text), `Write \\ for a backslash. `+literalHint)
	}
	if se.Code == syntax.ErrMissingRepeatArgument {
		return invalid(fmt.Sprintf("the pattern has %s with nothing before it to repeat", at), `Write \`+at+` for the character. `+literalHint)
	}
	return invalid(fmt.Sprintf("the pattern %q is not valid: %s: %s", text, se.Code, at), literalHint)
}

// unsupported are the constructs of other dialects.
var unsupported = []struct{ start, name string }{
	{"(?!", "a negative lookahead"},
	{"(?=", "a lookahead"},
	{"(?<!", "a negative lookbehind"},
	{"(?<=", "a lookbehind"},
	{"(?>", "an atomic group"},
	{"(?(", "a conditional"},
	{"(?P=", "a named backreference"},
	{"(?P>", "a subroutine call"},
	{"(?R", "a recursion"},
	{"(?#", "a comment"},
	{"(?|", "a branch reset"},
}
