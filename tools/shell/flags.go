package shell

import (
	"slices"
	"strings"
)

// reader describes a program that only reads, as long as it gets the options
// listed here. What is not listed is not known, so it is not safe.
type reader struct {
	// short lists one-letter options: "ab" take nothing, "n:" a value, "f@"
	// the name of a file, "i?" a value in the same word. "#" allows -NUM.
	short string
	// long lists options as "name", "name=", "name@" and "name?" in the same
	// way, parted by blanks.
	long string
	// anyFlag says that no option of the program can do harm; only those that
	// take a value need to be listed.
	anyFlag bool
	// skip is the number of operands in front that are no files, such as the
	// expression of grep; an option of skipped (letters, then long names) gives
	// them instead.
	skip    int
	skipped string
	// apart says that the value of a one-letter option is the next word, even
	// if more letters follow.
	apart bool
	// words says that no operand is a file.
	words bool
	// most is the number of operands allowed, if not 0; -1 means none.
	most int
}

// rule judges the arguments of a program.
type rule func(c *classifier, name string, args []arg) finding

// rule makes a rule of the description.
func (r reader) rule() rule {
	return func(c *classifier, name string, args []arg) finding {
		f, operands := r.options(c, name, args)
		skip := r.skip
		if r.skipped != "" && slices.ContainsFunc(args, func(a arg) bool { return isOneOf(a.text, r.skipped) }) {
			skip = 0
		}
		n := len(operands)
		if r.most > 0 && slices.ContainsFunc(operands, c.several) {
			n = r.most + 1
		}
		if r.most < 0 && n > 0 || r.most > 0 && n > r.most {
			f = f.worse(ask(name + " may write to its last argument"))
		}
		if r.words {
			return f
		}
		for i, a := range operands {
			switch {
			case i >= skip:
				f = f.worse(c.readable(a))
			case !a.known && a.mayBeFlag() || c.several(a):
				f = f.worse(ask("an argument of " + name + " is not known in advance"))
			}
		}
		return f
	}
}

// isOneOf reports whether a word may be one of a list of options: one letter
// among others or before a value, or a long name that may be cut short.
func isOneOf(text, options string) bool {
	letters, names, _ := strings.Cut(options, " ")
	if !strings.HasPrefix(text, "--") {
		return strings.HasPrefix(text, "-") && strings.ContainsAny(text, letters)
	}
	text, _, _ = strings.Cut(text, "=")
	for n := range strings.FieldsSeq(names) {
		if len(text) > 2 && strings.HasPrefix(n, text) {
			return true
		}
	}
	return false
}

// options judges the options and gives the operands.
func (r reader) options(c *classifier, name string, args []arg) (finding, []arg) {
	f := fine
	var operands []arg
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.known && a.text == "--":
			return f, append(operands, args[i+1:]...)
		case !a.mayBeFlag() || a.known && a.text == "-":
			operands = append(operands, a)
		case r.anyFlag && (!a.known || a.glob):
			operands = append(operands, a)
		case !a.known || a.glob:
			f = f.worse(ask("an argument of " + name + " is not known in advance"))
		default:
			g, takesNext := r.option(c, a.text)
			if g.level != safe {
				g.reason = strings.ReplaceAll(g.reason, "%", name+" "+a.text)
			}
			f = f.worse(g)
			if takesNext != 0 && i+1 < len(args) {
				i++
				if c.several(args[i]) {
					f = f.worse(ask("an argument of " + name + " is not known in advance"))
				}
				if takesNext == '@' {
					f = f.worse(c.readable(args[i]))
				}
			}
		}
	}
	return f, operands
}

// option judges one option. next is ':' or '@' if the next word is its value.
func (r reader) option(c *classifier, text string) (f finding, next byte) {
	unknown := ask("% may do more than read")
	if r.anyFlag {
		unknown = fine
	}
	if strings.HasPrefix(text, "--") {
		name, value, has := strings.Cut(text[2:], "=")
		for l := range strings.FieldsSeq(r.long) {
			kind := l[len(l)-1]
			if !strings.ContainsRune("=@?", rune(kind)) {
				if l == name && !has {
					return fine, 0
				}
				continue
			}
			// A program all of whose options are allowed may take a part of one.
			if l[:len(l)-1] != name && !(r.anyFlag && name != "" && strings.HasPrefix(l, name)) {
				continue
			}
			switch {
			case has && kind == '@':
				return c.readable(arg{text: value, known: true}), 0
			case has || kind == '?':
				return fine, 0
			}
			return fine, map[byte]byte{'=': ':', '@': '@'}[kind]
		}
		return unknown, 0
	}
	if strings.Contains(r.short, "#") && isNumber(text[1:]) {
		return fine, 0
	}
	for i := 1; i < len(text); i++ {
		k := strings.IndexByte(r.short, text[i])
		if k < 0 || strings.IndexByte(":@?#", text[i]) >= 0 {
			if r.anyFlag {
				continue
			}
			return unknown, 0
		}
		kind := byte(0)
		if k+1 < len(r.short) {
			kind = r.short[k+1]
		}
		rest := text[i+1:]
		switch kind {
		case '?':
			return fine, 0
		case ':':
			switch {
			case rest == "":
				return fine, ':'
			case r.apart && !isNumber(rest):
				return unknown, 0
			}
			return fine, 0
		case '@':
			if rest == "" {
				return fine, '@'
			}
			return c.readable(arg{text: rest, known: true}), 0
		}
	}
	return fine, 0
}
