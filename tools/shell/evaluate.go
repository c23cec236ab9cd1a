package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// test judges [[ ... ]], which evaluates more than it seems to: operands of
// numeric comparisons are arithmetic, and that may run commands.
func (c *classifier) test(e syntax.TestExpr) {
	switch x := e.(type) {
	case nil:
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			c.number(x.X)
			c.number(x.Y)
			return
		}
		c.test(x.X)
		c.test(x.Y)
	case *syntax.UnaryTest:
		switch x.Op {
		case syntax.TsVarSet, syntax.TsRefVar:
			c.raise(sensitive, "it evaluates the name of a variable")
		}
		c.test(x.X)
	case *syntax.ParenTest:
		c.test(x.X)
	case *syntax.Word:
		c.word(x)
	}
}

// number judges an operand that is evaluated as arithmetic.
func (c *classifier) number(e syntax.TestExpr) {
	if w, ok := e.(*syntax.Word); ok {
		if a := c.word(w); a.known && isNumber(a.text) {
			return
		}
	}
	c.raise(sensitive, "it evaluates a text as arithmetic")
}

// arithm judges an arithmetic expression. Only numbers are safe: a variable is
// evaluated again, and its text may run a command.
func (c *classifier) arithm(e syntax.ArithmExpr) {
	switch x := e.(type) {
	case nil:
	case *syntax.BinaryArithm:
		c.arithm(x.X)
		c.arithm(x.Y)
	case *syntax.UnaryArithm:
		c.arithm(x.X)
	case *syntax.ParenArithm:
		c.arithm(x.X)
	case *syntax.Word:
		if a := c.word(x); !a.known || !isNumber(a.text) {
			c.raise(sensitive, "it evaluates a variable as arithmetic")
		}
	default:
		c.raise(sensitive, "it evaluates arithmetic")
	}
}

func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}
