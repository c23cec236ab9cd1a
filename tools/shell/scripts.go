package shell

import (
	"regexp"
	"strings"
)

// sed judges sed: its scripts may write files and run programs.
func sed(c *classifier, name string, args []arg) finding {
	r := reader{short: "nErsuz", long: "quiet silent regexp-extended null-data separate unbuffered posix expression= debug"}
	f := fine
	var rest []arg
	var scripts []arg
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.known && (a.text == "-e" || a.text == "--expression" || a.text == "-ne" || a.text == "-Ee" || a.text == "-nEe" || a.text == "-re") && i+1 < len(args):
			i++
			scripts = append(scripts, args[i])
		case a.known && strings.HasPrefix(a.text, "--expression="):
			scripts = append(scripts, arg{text: strings.TrimPrefix(a.text, "--expression="), known: true})
		default:
			rest = append(rest, a)
		}
	}
	g, operands := r.options(c, name, rest)
	f = f.worse(g)
	if len(scripts) == 0 && len(operands) > 0 {
		scripts, operands = operands[:1], operands[1:]
	}
	for _, s := range scripts {
		if !s.known || c.several(s) || !sedReads(s.text) {
			f = f.worse(ask("the sed script may write files or run programs"))
		}
	}
	for _, a := range operands {
		f = f.worse(c.readable(a))
	}
	return f
}

// sedReads reports whether a sed script has only commands that print and
// change text.
func sedReads(s string) bool {
	for {
		s = strings.TrimLeft(s, " \t\n;{}")
		if s == "" {
			return true
		}
		var ok bool
		if s, ok = sedAddress(s); !ok {
			return false
		}
		s = strings.TrimLeft(s, " \t!")
		if s == "" {
			return false
		}
		cmd := s[0]
		s = s[1:]
		switch cmd {
		case '{':
			continue
		case 'p', 'P', 'd', 'D', '=', 'n', 'N', 'g', 'G', 'h', 'H', 'x':
		case 'q', 'Q', 'l':
			s = strings.TrimLeft(s, " 0123456789")
		case 's':
			if s, ok = sedSubstitution(s); !ok {
				return false
			}
		case 'y':
			if s, ok = sedParts(s, 2); !ok {
				return false
			}
		default:
			return false
		}
		s = strings.TrimLeft(s, " \t")
		if s != "" && !strings.ContainsRune(";\n}", rune(s[0])) {
			return false
		}
	}
}

var sedLine = regexp.MustCompile(`^(\d+(~\d+)?|\$|\+\d+|~\d+)`)

// sedAddress cuts the addresses off the front of a command.
func sedAddress(s string) (rest string, ok bool) {
	for n := 0; ; n++ {
		switch {
		case s == "":
			return s, true
		case sedLine.MatchString(s):
			s = s[len(sedLine.FindString(s)):]
		case s[0] == '/', s[0] == '\\':
			if s[0] == '\\' {
				s = s[1:]
			}
			if s, ok = sedParts(s, 1); !ok {
				return s, false
			}
			s = strings.TrimLeft(s, "IM")
		default:
			return s, n == 0
		}
		s = strings.TrimLeft(s, " \t")
		if n > 0 || !strings.HasPrefix(s, ",") {
			return s, true
		}
		s = strings.TrimLeft(s[1:], " \t")
	}
}

// sedSubstitution cuts off /pattern/replacement/flags. The flags w and e write
// and run.
func sedSubstitution(s string) (rest string, ok bool) {
	if s, ok = sedParts(s, 2); !ok {
		return s, false
	}
	return strings.TrimLeft(s, "gpiIM0123456789"), true
}

// sedParts cuts off n texts that are closed by the character before the first.
// Programs differ on that character in brackets, so it is not understood there.
func sedParts(s string, n int) (rest string, ok bool) {
	if s == "" || s[0] == '\n' || s[0] == '\\' || s[0] >= 0x80 {
		return s, false
	}
	end := s[0]
	i := 1
	for ; n > 0; n-- {
		for ; i < len(s) && s[i] != end; i++ {
			switch s[i] {
			case '\\':
				i++
			case '[':
				// "]" may be the first character in the brackets.
				set := strings.TrimPrefix(s[i+1:], "^")
				if k := strings.IndexByte(strings.TrimPrefix(set, "]"), ']'); k >= 0 && strings.IndexByte(set[:k+1], end) >= 0 {
					return s, false
				}
			}
		}
		if i >= len(s) {
			return s, false
		}
		i++
	}
	return s[i:], true
}

// awkActs finds what lets an awk program write files and run programs.
var awkActs = regexp.MustCompile(`system|getline|SYMTAB|FUNCTAB|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|@|\||>`)

// awk judges awk: its programs may write files and run programs.
func awk(c *classifier, name string, args []arg) finding {
	f, operands := reader{short: "F:v:", long: "field-separator= assign="}.options(c, name, args)
	if len(operands) == 0 || !operands[0].known || c.several(operands[0]) {
		return f.worse(ask("the awk program is not known in advance"))
	}
	program := strings.NewReplacer("||", "", ">=", "").Replace(operands[0].text)
	if awkActs.MatchString(program) {
		f = f.worse(ask("the awk program may write files or run programs"))
	}
	for _, a := range operands[1:] {
		if name, _, ok := strings.Cut(a.text, "="); ok && a.known && variableName.MatchString(name) {
			continue
		}
		f = f.worse(c.readable(a))
	}
	return f
}
