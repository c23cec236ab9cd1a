package shell

import "strings"

// remove judges rm.
func remove(c *classifier, _ string, args []arg) finding {
	f := ask("it deletes files")
	for _, a := range args {
		switch {
		case !a.known && !a.inside:
			f = f.worse(alarm("the names of the files that it deletes are not known in advance"))
		case a.known && strings.HasPrefix(a.text, "--"):
			if len(a.text) > 2 && strings.HasPrefix("--recursive", a.text) || a.text == "--no-preserve-root" {
				f = f.worse(alarm("it deletes folders with all that is in them"))
			}
		case a.known && strings.HasPrefix(a.text, "-"):
			if strings.ContainsAny(a.text, "rR") {
				f = f.worse(alarm("it deletes folders with all that is in them"))
			}
		case a.glob && (a.text == "*" || strings.HasSuffix(a.text, "/*") || a.text == ".*" || strings.HasPrefix(a.text, "*")):
			f = f.worse(alarm("it deletes many files at once"))
		default:
			f = f.worse(c.writable(a))
		}
	}
	return f
}

// writes judges programs all of whose operands are written.
func writes(c *classifier, name string, args []arg) finding {
	f := ask("it runs " + name)
	for _, a := range args {
		if a.known && strings.HasPrefix(a.text, "-") {
			continue
		}
		f = f.worse(c.writable(a))
	}
	return f
}

// copies judges programs that read their operands and write the last one; mv
// writes all.
func copies(c *classifier, name string, args []arg) finding {
	f := ask("it runs " + name)
	var operands []arg
	all := name == "mv"
	for _, a := range args {
		switch {
		case a.known && strings.HasPrefix(a.text, "-"):
			all = all || strings.HasPrefix(a.text, "-t") || strings.HasPrefix(a.text, "--target")
			if name == "rsync" && (strings.HasPrefix(a.text, "-e") || strings.HasPrefix(a.text, "--rsh") || strings.HasPrefix(a.text, "--rsync-path") || strings.HasPrefix(a.text, "--del") || strings.HasPrefix(a.text, "--remove")) {
				f = f.worse(alarm("it may delete files or run programs"))
			}
		default:
			operands = append(operands, a)
		}
	}
	for i, a := range operands {
		if all || i == len(operands)-1 {
			f = f.worse(c.writable(a))
		} else {
			f = f.worse(c.readable(a))
		}
	}
	return f
}

// modes judges chmod and its like.
func modes(c *classifier, name string, args []arg) finding {
	f := ask("it runs " + name)
	for i, a := range args {
		switch {
		case !a.known:
			f = f.worse(alarm("what it changes is not known in advance"))
		case strings.HasPrefix(a.text, "-"):
			if strings.Contains(a.text, "R") || strings.HasPrefix(a.text, "--recursive") {
				f = f.worse(alarm("it changes folders with all that is in them"))
			}
		case i > 0:
			f = f.worse(c.writable(a))
		}
	}
	return f
}
