package shell

import "strings"

// ruleOf finds the rule of a program; nil if it is not known. One without a
// rule is ordinary: it may change things in the workspace, and is asked about.
func ruleOf(name string) rule {
	if shells[name] {
		return shell
	}
	switch name {
	case "cd", "pushd":
		return changeFolder
	case "test", "[":
		return bracket
	case "printf":
		return printf
	case "read":
		return readLine
	case "set":
		return setOptions
	case "date":
		return date
	case "printenv":
		return printenv
	case "ps":
		return ps
	case "kill":
		return kill
	case "find":
		return find
	case "sed":
		return sed
	case "awk", "gawk", "mawk", "nawk":
		return awk
	case "strings":
		return stringsOf
	case "xxd":
		return xxd
	case "git":
		return git
	case "jq":
		return jq
	case "go":
		return goTool
	case "tar":
		return tar
	case "unzip":
		return unzip
	case "rm", "unlink":
		return remove
	case "rmdir", "touch", "mkdir", "tee", "truncate", "mkfifo":
		return writes
	case "mv", "cp", "ln", "install", "rsync":
		return copies
	case "chmod", "chown", "chgrp":
		return modes
	}
	if r := wrapperOf(name); r != nil {
		return r
	}
	if r, ok := readers[name]; ok {
		return r.rule()
	}
	return nil
}

// ordinary judges a program that is not known to be safe.
func (c *classifier) ordinary(name string, args []arg) finding {
	if len(args) == 1 && args[0].known && versioned[name] {
		switch args[0].text {
		case "--version", "-version", "-V":
			return fine
		}
	}
	if interpreters[name] && c.piped && readsScript(args) {
		return alarm("it runs what another command gives it")
	}
	for _, a := range args {
		if !a.known {
			break
		}
		if loading(name, a.text) {
			return alarm("it runs a program that " + name + " is told to run by an option")
		}
	}
	for i, a := range args {
		if !a.known {
			return alarmIf(riskyWords[name] != nil && i == 0, "what it runs is not known in advance", name)
		}
		if strings.HasPrefix(a.text, "-") {
			continue
		}
		if r, ok := riskyWords[name][a.text]; ok {
			return alarm(r)
		}
		break
	}
	return ask("it runs " + name)
}

func alarmIf(bad bool, reason, name string) finding {
	if bad {
		return alarm(reason)
	}
	return ask("it runs " + name)
}

// loading reports whether an option of an ordinary program names another
// program or a file of settings, which a grant for the program must not cover.
func loading(name, text string) bool {
	flag, _, _ := strings.Cut(text, "=")
	switch name {
	case "make":
		return flag == "SHELL" || flag == ".SHELLFLAGS" || strings.HasPrefix(text, "--eval")
	case "npm", "npx", "pnpm", "yarn":
		return flag == "--script-shell" || flag == "--node-options"
	case "cargo":
		return flag == "--config"
	case "docker":
		return flag == "-H" || flag == "--host" || flag == "--privileged"
	}
	return false
}

// readsScript reports whether an interpreter reads its script from its input.
func readsScript(args []arg) bool {
	for _, a := range args {
		if !a.known || a.text == "-" {
			return true
		}
		if a.text == "-c" || a.text == "-e" || a.text == "-m" || !strings.HasPrefix(a.text, "-") {
			return false
		}
	}
	return true
}
