package shell

import (
	"slices"
	"strings"
)

// findWords are the options and actions of find that only look and print.
const findWords = `-H -L -P -O0 -O1 -O2 -O3 -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size
 -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat -newerct -empty -perm -user -group -uid -gid -nouser -nogroup
 -links -inum -samefile -lname -ilname -fstype -readable -writable -executable -used -maxdepth -mindepth -depth -d -mount -xdev -follow
 -noleaf -daystart -ignore_readdir_race -noignore_readdir_race -warn -nowarn -true -false -not -a -and -o -or -print -print0 -printf -ls -prune -quit`

// find judges find: it may also delete, write and run programs. A word that
// looks like an option must be one of the list wherever it stands.
func find(c *classifier, name string, args []arg) finding {
	allowed := strings.Fields(findWords)
	f := fine
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.known && !a.inside, a.glob && a.mayBeFlag():
			f = f.worse(ask("an argument of find is not known in advance"))
		case a.text == "-delete":
			return alarm("find deletes what it finds")
		case a.text == "-exec" || a.text == "-execdir" || a.text == "-ok" || a.text == "-okdir":
			g, n := c.findExec(a.text, args[i+1:])
			f = f.worse(g)
			i += n
		case a.text == "(" || a.text == ")" || a.text == "!" || a.text == ",":
		case strings.HasPrefix(a.text, "-"):
			if !slices.Contains(allowed, a.text) && !isNumber(strings.TrimRight(a.text[1:], "bcwkMG")) {
				f = f.worse(ask("find " + a.text + " may do more than look"))
			}
		case i > 0 && isPattern(args[i-1].text):
		default:
			f = f.worse(c.readable(a))
		}
	}
	return f
}

// isPattern reports whether an option of find is followed by a pattern, which
// is no path.
func isPattern(option string) bool {
	switch option {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname", "-printf", "-type", "-size", "-perm", "-user", "-group", "-regextype":
		return true
	}
	return false
}

// findExec judges the program that find runs on what it finds, and gives the
// number of words up to the end of it. The files are those of the workspace,
// since the folders where find begins are judged too.
func (c *classifier) findExec(action string, args []arg) (finding, int) {
	c.parts++
	var words []arg
	for i, a := range args {
		if a.known && (a.text == ";" || a.text == "+" && i > 0 && args[i-1].text == "{}") {
			if len(words) == 0 {
				break
			}
			for k := range words {
				words[k].split = words[k].split || a.text == "+" && words[k].inside
			}
			f := c.program(words)
			if action != "-exec" {
				f = f.worse(ask("find runs a program in the folders that it finds"))
			}
			if f.level == sensitive && removes[words[0].text] {
				f = alarm("find removes what it finds")
			}
			return f, i + 1
		}
		if a.known && strings.Contains(a.text, "{}") {
			a = arg{inside: a.text == "{}"}
		}
		words = append(words, a)
	}
	return alarm("find runs a program that is not understood"), len(args)
}

var removes = map[string]bool{"rm": true, "unlink": true, "rmdir": true, "shred": true, "mv": true}
