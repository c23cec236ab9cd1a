package shell

import (
	"os"
	"slices"
	"strings"
)

// mostInTree is how many files of a folder are looked at. Of a larger one it is
// not known what is in it.
const mostInTree = 20_000

// tree judges a program that shows the contents of whole folders: a file that
// usually holds credentials may be among them. The tools for searching leave
// such files out.
func (c *classifier) tree(base string, args []arg) finding {
	if c.env == nil {
		return fine
	}
	hidden, reads := readsTree(base, args)
	if !reads {
		return fine
	}
	folders := 0
	for _, a := range args {
		if !a.known || a.glob || a.text == "" || a.mayBeFlag() {
			continue
		}
		for _, dir := range c.dirs {
			path := a.text
			if !strings.HasPrefix(path, "/") {
				path = dir + "/" + path
			}
			loc, err := c.env.Files.Resolve(path)
			if err != nil || !isDir(loc.Path()) {
				continue
			}
			folders++
			if f := c.below(path, hidden); f.level != safe {
				return f
			}
		}
	}
	if folders > 0 {
		return fine
	}
	for _, dir := range c.dirs {
		if f := c.below(dir, hidden); f.level != safe {
			return f
		}
	}
	return fine
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func (c *classifier) below(dir string, hidden bool) finding {
	loc, err := c.env.Files.Resolve(dir)
	if err != nil {
		return fine // it was judged as a place
	}
	file, complete := c.env.Files.CredentialsBelow(loc, hidden, mostInTree)
	switch {
	case file != "":
		return alarm("it would show what is in " + file + ", which usually holds credentials")
	case !complete:
		return ask("it reads more files than can be looked at before")
	}
	return fine
}

// readsTree reports whether a program shows the contents of folders, and those
// of hidden files in them.
func readsTree(base string, args []arg) (hidden, reads bool) {
	flag := func(short string, long ...string) bool {
		return slices.ContainsFunc(args, func(a arg) bool {
			if strings.HasPrefix(a.text, "--") {
				name, _, _ := strings.Cut(a.text, "=")
				return slices.Contains(long, name) || slices.Contains(long, a.text)
			}
			return strings.HasPrefix(a.text, "-") && strings.ContainsAny(a.text, short)
		})
	}
	word := func(texts ...string) bool {
		return slices.ContainsFunc(args, func(a arg) bool { return slices.Contains(texts, a.text) })
	}
	switch base {
	case "grep", "egrep", "fgrep":
		return true, flag("rR", "--recursive", "--dereference-recursive", "--directories=recurse") || word("recurse", "-drecurse")
	case "diff":
		return true, flag("r", "--recursive")
	case "rg":
		return flag("u.", "--hidden", "--no-ignore"), !word("--files", "--type-list")
	case "git":
		return true, word("grep") && word("--no-index", "--untracked")
	case "find":
		for i, a := range args {
			if strings.HasPrefix(a.text, "-exec") && i+1 < len(args) && !namesOnly[args[i+1].text] {
				return true, true
			}
		}
	}
	return false, false
}

// namesOnly are programs that find may run which show no contents.
var namesOnly = map[string]bool{"ls": true, "stat": true, "file": true, "du": true, "basename": true, "dirname": true, "realpath": true, "readlink": true,
	"echo": true, "printf": true, "wc": true, "test": true, "[": true, "true": true, "md5sum": true, "sha1sum": true, "sha256sum": true, "cksum": true}
