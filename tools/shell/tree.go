package shell

import (
	"os"
	"path"
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
	r := readsTree(base, args)
	if !r.reads {
		return fine
	}
	// The folders that are named; what is not known in advance is below the
	// present one, or was judged for its place.
	here := true
	for _, a := range args {
		text := a.text
		switch {
		case !a.known || text == "":
			continue
		case a.glob:
			text = text[:strings.LastIndexByte(text[:strings.IndexAny(text+"*", "*?[")], '/')+1]
		}
		for _, dir := range c.dirs {
			place := text
			if !strings.HasPrefix(place, "/") {
				place = dir + "/" + place
			}
			loc, err := c.env.Files.Resolve(place)
			if err != nil || !isDir(loc.Path()) {
				continue
			}
			here = here && a.glob
			if f := c.below(place, r); f.level != safe {
				return f
			}
		}
	}
	if !here && !slices.ContainsFunc(args, func(a arg) bool { return a.inside }) || r.named {
		return fine
	}
	for _, dir := range c.dirs {
		if f := c.below(dir, r); f.level != safe {
			return f
		}
	}
	return fine
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func (c *classifier) below(dir string, r treeReads) finding {
	loc, err := c.env.Files.Resolve(dir)
	if err != nil {
		return fine // it was judged as a place
	}
	file, complete := c.env.Files.CredentialsBelow(loc, r.hidden, r.links, mostInTree)
	switch {
	case file != "":
		return alarm("it would show what is in " + file + ", which usually holds credentials or leads out of the workspace")
	case !complete:
		return ask("it reads more files than can be looked at before")
	}
	return fine
}

// treeReads says what of folders a program shows.
type treeReads struct {
	reads  bool // the contents of the files in them
	hidden bool // those of hidden files, too
	named  bool // only of those that it is given
	// links picks the links that it follows by their names; nil: none.
	links func(name string) bool
}

// readsTree finds out what of folders a program shows.
func readsTree(base string, args []arg) treeReads {
	flag := func(letters string, names ...string) bool {
		options := letters + " " + strings.Join(names, " ")
		return slices.ContainsFunc(args, func(a arg) bool { return isOneOf(a.text, options) })
	}
	word := func(texts ...string) bool {
		return slices.ContainsFunc(args, func(a arg) bool { return slices.Contains(texts, a.text) })
	}
	follows := func(yes bool) func(string) bool {
		if yes {
			return func(string) bool { return true }
		}
		return nil
	}
	switch base {
	case "grep", "egrep", "fgrep":
		return treeReads{reads: flag("rR", "--recursive", "--dereference-recursive", "--directories") || word("recurse", "-drecurse"), hidden: true,
			links: follows(flag("R", "--dereference-recursive"))}
	case "diff":
		return treeReads{reads: true, hidden: true, links: follows(true), named: true}
	case "rg":
		return treeReads{reads: !word("--files", "--type-list"), hidden: flag("u.", "--hidden", "--no-ignore"), links: follows(flag("L", "--follow"))}
	case "git":
		compares := word("diff") && word("--no-index")
		return treeReads{reads: compares || word("grep") && word("--no-index", "--untracked"), hidden: true, links: follows(compares), named: compares}
	case "find":
		for i, a := range args {
			if strings.HasPrefix(a.text, "-exec") && i+1 < len(args) && !namesOnly[args[i+1].text] {
				return treeReads{reads: true, hidden: true, links: foundLinks(args)}
			}
		}
	}
	return treeReads{}
}

// foundLinks picks the links that find may give to a program: none if it looks
// for files, those with a fitting name, all if it follows them.
func foundLinks(args []arg) func(name string) bool {
	var names []string
	files := false
	for i, a := range args {
		switch a.text {
		case "-L", "-follow", "-o", "-or", ",", "!", "-not":
			return func(string) bool { return true }
		case "-type":
			files = files || i+1 < len(args) && args[i+1].text == "f"
		case "-name":
			if i+1 < len(args) {
				names = append(names, args[i+1].text)
			}
		}
	}
	if files {
		return nil
	}
	return func(name string) bool {
		return !slices.ContainsFunc(names, func(n string) bool {
			ok, err := path.Match(n, name)
			return err == nil && !ok && !strings.Contains(n, "[")
		})
	}
}

// namesOnly are programs that find may run which show no contents.
var namesOnly = map[string]bool{"ls": true, "stat": true, "file": true, "du": true, "basename": true, "dirname": true, "realpath": true, "readlink": true,
	"echo": true, "printf": true, "wc": true, "test": true, "[": true, "true": true, "md5sum": true, "sha1sum": true, "sha256sum": true, "cksum": true}
