package shell

import (
	"strings"

	"github.com/agentd-dev/agentd/tools"
)

// wrapperOf gives the rule of a program that runs another one, which is judged
// in its place. No grant for a prefix comes from it.
func wrapperOf(name string) rule {
	switch name {
	case "env":
		return envRule
	case "command":
		return commandRule
	case "builtin":
		return wrapper("", safe)
	case "exec":
		return wrapper("", sensitive)
	case "nice":
		return wrapper("n:#", safe)
	case "ionice":
		return wrapper("c:n:t", safe)
	case "stdbuf":
		return wrapper("i:o:e:", safe)
	case "time":
		return wrapper("pv", safe)
	case "nohup":
		return wrapper("", sensitive)
	case "setsid":
		return wrapper("cfw", sensitive)
	case "timeout":
		return timeout
	case "xargs":
		return xargs
	}
	return nil
}

// wrapper judges what follows the options of a wrapper.
func wrapper(short string, least tools.Level) rule {
	return func(c *classifier, name string, args []arg) finding {
		return c.wrapped(name, reader{short: short, words: true}, args, 0).worse(finding{least, "it runs a program by way of " + name})
	}
}

// wrapped judges the program that comes after the options and some operands of
// a wrapper.
func (c *classifier) wrapped(name string, r reader, args []arg, operands int, extra ...arg) finding {
	c.parts++ // no grant for a prefix
	f := fine
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a.known && a.text == "--" {
			return f.worse(c.inner(name, args[i+1:], operands, extra))
		}
		if !a.mayBeFlag() {
			return f.worse(c.inner(name, args[i:], operands, extra))
		}
		if !a.known || a.glob {
			return alarm("which program it runs is not known in advance")
		}
		g, next := r.option(c, a.text)
		if g.level != safe {
			return alarm("an option of " + name + " is not known: what it runs cannot be told")
		}
		f = f.worse(g)
		if next != 0 && i+1 < len(args) {
			i++
			if c.several(args[i]) {
				return alarm("which program it runs is not known in advance")
			}
		}
	}
	return f.worse(c.inner(name, nil, operands, extra))
}

func (c *classifier) inner(name string, args []arg, operands int, extra []arg) finding {
	if len(args) <= operands {
		if operands > 0 || name == "exec" || name == "builtin" || name == "time" || name == "nice" {
			return ask("it runs " + name)
		}
		return ask(name + " runs what is not known in advance")
	}
	return c.program(append(append([]arg(nil), args[operands:]...), extra...))
}

func timeout(c *classifier, name string, args []arg) finding {
	return c.wrapped(name, reader{short: "k:s:v", long: "kill-after= signal= preserve-status foreground verbose"}, args, 1)
}

// xargs adds words to a command that nobody knows in advance.
func xargs(c *classifier, name string, args []arg) finding {
	r := reader{short: "0rtx#n:P:L:s:d:I:E:", long: "null no-run-if-empty verbose max-args= max-procs= max-lines= delimiter= arg-file@"}
	for i, a := range args {
		if a.known && strings.HasPrefix(a.text, "-I") {
			replace := strings.TrimPrefix(a.text, "-I")
			if replace == "" && i+1 < len(args) {
				replace = args[i+1].text
			}
			for k := range args[min(i+2, len(args)):] {
				if w := &args[i+2+k]; replace == "" || strings.Contains(w.text, replace) {
					*w = unknownArg
				}
			}
		}
	}
	return c.wrapped(name, r, args, 0, unknownArg)
}

func commandRule(c *classifier, name string, args []arg) finding {
	if len(args) > 0 && args[0].known && (args[0].text == "-v" || args[0].text == "-V") {
		return fine
	}
	return c.wrapped(name, reader{}, args, 0)
}

// envRule judges env, which sets variables for a program or shows all.
func envRule(c *classifier, name string, args []arg) finding {
	c.parts++
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.known || a.glob:
			return alarm("which program it runs is not known in advance")
		case a.text == "-u" && i+1 < len(args):
			i++
		case a.text == "-i" || a.text == "-":
		case strings.HasPrefix(a.text, "-"):
			return alarm("an option of env is not known: what it runs cannot be told")
		case strings.Contains(a.text, "="):
			key, _, _ := strings.Cut(a.text, "=")
			c.assigned(key)
		default:
			return c.program(args[i:])
		}
	}
	return ask("it shows the whole environment, which may hold secrets")
}

// shell judges a shell that is given a script.
func shell(c *classifier, name string, args []arg) finding {
	c.parts++
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !a.known || a.glob {
			return alarm("the script that it runs is not known in advance")
		}
		switch {
		case a.text == "--version" && len(args) == 1:
			return ask("it runs " + name)
		case strings.HasPrefix(a.text, "-") && strings.Trim(a.text, "-lexuc") == "" && !strings.HasPrefix(a.text, "--"):
			if !strings.Contains(a.text, "c") {
				continue
			}
			if i+1 >= len(args) || !args[i+1].known || args[i+1].glob || args[i+1].tilde || strings.HasPrefix(args[i+1].text, "-") || strings.HasPrefix(args[i+1].text, "+") {
				return alarm("the script that it runs is not known in advance")
			}
			switch name {
			case "sh", "bash", "dash":
				c.script(args[i+1].text)
				return fine
			}
			return alarm("its script is for another shell and is not understood")
		case strings.HasPrefix(a.text, "-"), strings.HasPrefix(a.text, "+"):
			return alarm("an option of " + name + " is not known: what it runs cannot be told")
		default:
			return ask("it runs a script")
		}
	}
	return alarm("it runs what is given to a shell as input")
}
