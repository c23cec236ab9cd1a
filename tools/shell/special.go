package shell

import (
	"regexp"
	"slices"
	"strings"
)

// changeFolder judges cd. After it a part of the command may run in the new
// folder or, where it failed or was not reached, in the old one.
func changeFolder(c *classifier, _ string, args []arg) finding {
	for len(args) > 0 && args[0].known && (args[0].text == "-P" || args[0].text == "-L" || args[0].text == "--") {
		args = args[1:]
	}
	if len(args) != 1 || !args[0].known || args[0].glob || args[0].tilde || strings.HasPrefix(args[0].text, "-") || args[0].text == "" {
		c.lost = true
		clear(c.inside)
		return ask("the folder to which it changes is not known in advance")
	}
	if c.env == nil {
		c.lost = c.lost || strings.HasPrefix(args[0].text, "/") || escapes(args[0].text)
		return fine
	}
	if where, _ := c.place(args[0]); where != insideRoots {
		c.lost = true
		return ask("it changes to a folder outside the workspace")
	}
	clear(c.inside) // what a name stands for is another file there
	for _, dir := range slices.Clone(c.dirs) {
		path := args[0].text
		if !strings.HasPrefix(path, "/") {
			path = dir + "/" + path
		}
		if loc, err := c.env.Files.Resolve(path); err == nil && !slices.Contains(c.dirs, loc.Path()) {
			c.dirs = append(c.dirs, loc.Path())
		}
	}
	if len(c.dirs) > 16 {
		c.lost = true
	}
	return fine
}

// binaryTests are the operators of test that stand between two words.
var binaryTests = map[string]bool{"=": true, "==": true, "!=": true, "<": true, ">": true, "-eq": true, "-ne": true, "-lt": true,
	"-le": true, "-gt": true, "-ge": true, "-nt": true, "-ot": true, "-ef": true}

// bracket judges test and [. Its operator -v evaluates an array index, so the
// operator must be known.
func bracket(c *classifier, name string, args []arg) finding {
	if name == "[" {
		if n := len(args); n == 0 || args[n-1].text != "]" {
			return ask("it is not understood")
		}
		args = args[:len(args)-1]
	}
	for len(args) > 1 && args[0].known && args[0].text == "!" {
		args = args[1:]
	}
	known := true
	for _, a := range args {
		if c.several(a) {
			return ask("a test is not known in advance")
		}
		if a.known && (a.text == "-v" || a.text == "-R") {
			return ask("it evaluates the name of a variable")
		}
		known = known && a.known && !a.glob
	}
	switch {
	case len(args) <= 1, known,
		len(args) == 2 && args[0].known,
		len(args) == 3 && args[1].known && binaryTests[args[1].text]:
		return fine
	}
	return ask("a test is not known in advance")
}

// setsVar finds what sets a variable in the format of printf.
var setsVar = regexp.MustCompile(`%[-+ #0'*.0-9]*[hlLqjzt]*n`)

// printf judges printf, which sets a variable with -v, and with %n the one that
// is named by a further word.
func printf(c *classifier, _ string, args []arg) finding {
	const sets = "printf may set a variable"
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	} else if len(args) > 0 && args[0].mayBeFlag() {
		return ask(sets)
	}
	if len(args) < 2 || args[0].known && !c.several(args[0]) && !setsVar.MatchString(strings.ReplaceAll(args[0].text, "%%", "")) {
		return fine
	}
	for _, a := range args[1:] {
		switch {
		case !a.known, a.glob, variableName.MatchString(a.text) && !localName.MatchString(a.text):
			return ask(sets)
		}
		delete(c.inside, a.text)
	}
	return fine
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// stringsOf judges strings, which takes more arguments from @FILE.
func stringsOf(c *classifier, name string, args []arg) finding {
	f := anyFiles.rule()(c, name, args)
	for _, a := range args {
		if strings.HasPrefix(a.text, "@") || a.text == "" || a.glob && a.mayBeFlag() {
			f = f.worse(ask("strings may take its arguments from a file"))
		}
	}
	return f
}

// xxd judges xxd: only the first letter of an option counts, its value is the
// next word, and a second operand is written.
func xxd(c *classifier, name string, args []arg) finding {
	var one []arg
	for _, a := range args {
		if !a.known || !strings.HasPrefix(a.text, "-") {
			one = append(one, a)
			continue
		}
		switch text := a.text; {
		case text == "-ps", text == "-plain", text == "-postscript":
			a.text = "-p"
		case len(text) > 2 && !isNumber(text[2:]):
			return ask("xxd " + text + " may do more than read")
		}
		one = append(one, a)
	}
	return reader{short: "abeEipuc:g:l:o:s:", most: 1}.rule()(c, name, one)
}

// readLine judges read, which evaluates the names of its variables.
func readLine(c *classifier, _ string, args []arg) finding {
	for i, a := range args {
		switch {
		case !a.known:
			return ask("the name of a variable is not known in advance")
		case a.text == "-d" && i+1 < len(args), a.text == "-r", a.text == "-rd" && i+1 < len(args):
		case i > 0 && strings.HasSuffix(args[i-1].text, "d") && strings.HasPrefix(args[i-1].text, "-"):
		case localName.MatchString(a.text):
			delete(c.inside, a.text)
		default:
			return ask("read is used in a way that may do more")
		}
	}
	return fine
}

var harmlessSet = regexp.MustCompile(`^[-+][eufx]+$`)

// setOptions judges set.
func setOptions(_ *classifier, _ string, args []arg) finding {
	if len(args) == 0 {
		return ask("it shows all variables, which may hold secrets")
	}
	for i, a := range args {
		if !a.known {
			return ask("set may change the shell")
		}
		option := i > 0 && strings.HasSuffix(args[i-1].text, "o") && (a.text == "pipefail" || a.text == "errexit" || a.text == "nounset")
		if !option && !harmlessSet.MatchString(a.text) && a.text != "-o" && a.text != "-euo" && a.text != "-eo" && a.text != "-uo" && a.text != "-eux" && a.text != "-euxo" {
			return ask("set may change the shell")
		}
	}
	return fine
}

// date judges date, which sets the clock with -s or with a number.
func date(c *classifier, name string, args []arg) finding {
	f, operands := reader{short: "uRI?d:r@", long: "utc universal rfc-3339= iso-8601? date= rfc-email reference@"}.options(c, name, args)
	for _, a := range operands {
		if !strings.HasPrefix(a.text, "+") {
			f = f.worse(ask("date may set the clock"))
		}
	}
	return f
}

// printenv judges what shows variables of the environment: all of them may
// hold secrets.
func printenv(_ *classifier, _ string, args []arg) finding {
	if len(args) == 0 {
		return ask("it shows the whole environment, which may hold secrets")
	}
	for _, a := range args {
		if !a.known || strings.HasPrefix(a.text, "-") || secretName.MatchString(a.text) {
			return ask("it shows variables that may hold secrets")
		}
	}
	return fine
}

// ps judges ps, which also shows the environment of processes.
func ps(_ *classifier, _ string, args []arg) finding {
	for _, a := range args {
		switch a.text {
		case "aux", "ax", "-ef", "-e", "-f", "-A", "-a", "-u", "-x", "-aux", "axu":
			continue
		}
		return ask("ps may show the environment of processes")
	}
	return fine
}

func kill(_ *classifier, _ string, args []arg) finding {
	for _, a := range args {
		if a.text == "-1" || a.text == "1" || a.text == "0" || !a.known {
			return alarm("it may end processes that are not known in advance")
		}
	}
	return ask("it ends processes")
}

// goTool judges the go command.
func goTool(c *classifier, name string, args []arg) finding {
	for _, a := range args {
		flag, _, _ := strings.Cut(a.text, "=")
		switch flag {
		case "-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool", "-overlay", "--overlay", "-modfile", "--modfile":
			return alarm("it runs a program that go is told to run by an option")
		}
	}
	switch {
	case len(args) == 1 && args[0].text == "version", len(args) > 0 && args[0].text == "help":
		return fine
	case len(args) > 0 && args[0].text == "env":
		for _, a := range args[1:] {
			if !a.known || strings.HasPrefix(a.text, "-") && a.text != "-json" {
				return ask("it may change go's settings")
			}
		}
		return fine
	}
	return c.ordinary(name, args)
}

var jqReaches = regexp.MustCompile(`(?i)env|import|include|modulemeta`)

// jq judges jq, whose filters may show the environment and load others.
func jq(c *classifier, name string, args []arg) finding {
	f := readers[name].rule()(c, name, args)
	for _, a := range args {
		if !a.known && !a.inside || jqReaches.MatchString(a.text) {
			f = f.worse(ask("the filter may show the environment or load another one"))
		}
	}
	return f
}

var listTar = regexp.MustCompile(`^-?[vzjJ]*t[vzjJ]*f$`)

// tar judges tar: only listing a local archive is safe.
func tar(c *classifier, name string, args []arg) finding {
	if len(args) == 2 && args[0].known && listTar.MatchString(args[0].text) && args[1].known && !args[1].glob && !strings.Contains(args[1].text, ":") && !strings.HasPrefix(args[1].text, "-") {
		return c.readable(args[1])
	}
	for _, a := range args {
		for _, bad := range []string{"--checkpoint-action", "--to-command", "--use-compress-program", "-I", "--rsh-command", "--info-script", "--new-volume-script", "-F"} {
			if strings.HasPrefix(a.text, bad) {
				return alarm("tar is told to run a program")
			}
		}
	}
	return c.ordinary(name, args)
}

func unzip(c *classifier, name string, args []arg) finding {
	if len(args) == 2 && (args[0].text == "-l" || args[0].text == "-v" || args[0].text == "-Z1") && !strings.HasPrefix(args[1].text, "-") {
		return c.readable(args[1])
	}
	return c.ordinary(name, args)
}
