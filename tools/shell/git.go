package shell

import (
	"slices"
	"strings"
)

// logFlags are the options of log, show, diff and their like that only choose
// and show. --output, --ext-diff, --textconv and -O are not among them.
var logFlags = reader{
	short: "psunazbwWRMCBDcmtqriEFPNU?S:G:L?l?X?#n:",
	long: `oneline graph all decorate? no-decorate stat? shortstat numstat dirstat? summary name-only name-status patch no-patch patch-with-stat raw unified=
 minimal patience histogram diff-algorithm= word-diff? word-diff-regex= color-words? color? no-color color-moved? cached staged merge-base abbrev? abbrev-commit
 no-abbrev-commit no-abbrev author= committer= grep= since= after= until= before= max-count= skip= reverse follow first-parent merges no-merges min-parents=
 max-parents= pretty? format= date= relative-date no-renames find-renames? find-copies? find-copies-harder ignore-all-space ignore-space-change
 ignore-blank-lines ignore-space-at-eol exit-code quiet full-index binary no-ext-diff no-textconv relative? no-relative diff-filter= pickaxe-all
 pickaxe-regex function-context inter-hunk-context= text branches? tags? remotes? glob= exclude= topo-order date-order author-date-order
 simplify-by-decoration simplify-merges full-history dense sparse ancestry-path left-right cherry-pick cherry-mark cherry left-only right-only no-walk?
 boundary cc combined-all-paths no-notes notes? source log-size perl-regexp fixed-strings extended-regexp basic-regexp regexp-ignore-case invert-grep
 all-match line-prefix= src-prefix= dst-prefix= no-prefix no-index ignore-submodules? submodule? check walk-reflogs reflog parents children root
 decorate-refs= decorate-refs-exclude= encoding= clear-decorations stdin count objects not no-commit-id compact-summary show-pulls mailmap use-mailmap
 no-mailmap no-color-moved output-indicator-new= output-indicator-old= break-rewrites? irreversible-delete rotate-to= skip-to= no-show-signature no-expand-tabs`,
	words: true,
}

// gitReads are the subcommands of git that only read, given these options.
var gitReads = map[string]reader{
	"log": logFlags, "show": logFlags, "diff": logFlags, "whatchanged": logFlags, "rev-list": logFlags, "diff-tree": logFlags,
	"diff-index": logFlags, "diff-files": logFlags, "shortlog": logFlags.and("se", "summary numbered email"), "range-diff": logFlags,
	"status":   {short: "sbvuzM?", words: true, long: "short branch porcelain? long verbose untracked-files? ignored? ignore-submodules? renames no-renames find-renames? column? no-column ahead-behind no-ahead-behind show-stash null"},
	"blame":    {short: "blfstwpecMCL:S@h", words: true, long: "porcelain line-porcelain incremental root show-stats date= color-lines color-by-age show-name show-number show-email since= abbrev= ignore-rev= first-parent"},
	"annotate": {short: "lw", words: true}, "rev-parse": {anyFlag: true, words: true}, "ls-files": {anyFlag: true, words: true},
	"ls-tree": {anyFlag: true, words: true}, "merge-base": {anyFlag: true, words: true}, "show-ref": {anyFlag: true, words: true},
	"for-each-ref": {anyFlag: true, words: true}, "name-rev": {anyFlag: true, words: true}, "describe": {anyFlag: true, words: true},
	"count-objects": {anyFlag: true, words: true}, "check-ignore": {anyFlag: true, words: true}, "check-attr": {anyFlag: true, words: true},
	"cherry": {anyFlag: true, words: true}, "show-branch": {words: true, short: "ar", long: "all remotes current list topo-order date-order sha1-name no-name"},
	"cat-file": {short: "tspe", words: true}, "var": {short: "l", words: true}, "version": {words: true, long: "build-options"},
	"grep": {short: "aIiwvhHEGFPnlLzcopqWrA:B:C:e:m:#", words: true, long: "cached untracked no-index recurse-submodules ignore-case word-regexp invert-match " +
		"extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match count color? no-color break heading " +
		"show-function after-context= before-context= context= function-context max-depth= and or not all-match quiet null only-matching text max-count="},
	"branch": {short: "arviq", most: -1, words: true, long: "all remotes list show-current verbose sort= format= contains? no-contains? merged? no-merged? points-at= column? no-column color? no-color ignore-case"},
	"tag":    {short: "liqn?", most: -1, words: true, long: "list sort= format= contains? no-contains? merged? no-merged? points-at= column? color? ignore-case"},
	"remote": {short: "v", most: -1, words: true, long: "verbose"},
	"reflog": logFlags,
}

// gitShows are those that show what is in a file that they are given.
var gitShows = map[string]bool{"log": true, "show": true, "diff": true, "whatchanged": true, "diff-tree": true, "diff-index": true,
	"diff-files": true, "blame": true, "annotate": true, "grep": true, "cat-file": true}

// and adds options.
func (r reader) and(short, long string) reader {
	r.short, r.long = short+r.short, long+" "+r.long
	return r
}

// gitRisk says which subcommands lose what cannot be brought back, or run what
// they are told; flags narrow it to calls with one of them.
var gitRisk = []struct {
	sub, flags, reason string
}{
	{"push", "-f --force --force-with-lease --force-if-includes --mirror --delete -d --prune --receive-pack --exec", "it may destroy commits on the server"},
	{"reset", "--hard --merge --keep", "it discards changes"},
	{"clean", "", "it deletes files that git does not know"},
	{"checkout", "-f --force -- .", "it discards changes"},
	{"switch", "-f --force --discard-changes", "it discards changes"},
	{"restore", "", "it discards changes"},
	{"branch", "-D -d --delete -M -f --force", "it may lose commits"},
	{"tag", "-d --delete -f --force", "it removes a tag"},
	{"stash", "drop clear", "it may lose changes"},
	{"reflog", "expire delete", "it may lose commits"},
	{"gc", "--prune --aggressive", "it may lose commits"},
	{"prune", "", "it may lose commits"},
	{"filter-branch", "", "it rewrites history"},
	{"filter-repo", "", "it rewrites history"},
	{"update-ref", "", "it may lose commits"},
	{"rebase", "-x --exec", "it runs a command for each commit"},
	{"bisect", "run", "it runs a command for each commit"},
	{"submodule", "foreach", "it runs a command in each submodule"},
	{"worktree", "remove --force -f", "it may lose changes"},
	{"rm", "-r -f -rf -fr --force", "it deletes files"},
	{"config", "", "it changes git's settings, which decide what programs run"},
	{"remote", "remove rm set-url", "it changes where commits go"},
	{"difftool", "", "it runs a program that the settings name"},
	{"mergetool", "", "it runs a program that the settings name"},
	{"daemon", "", "it serves the repository"},
	{"instaweb", "", "it serves the repository"},
	{"send-email", "", "it sends mail"},
	{"credential", "", "it shows credentials"},
}

// git judges git.
func git(c *classifier, name string, args []arg) finding {
	f := fine
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		a := args[0]
		args = args[1:]
		switch {
		case !a.known:
			return alarm("an option of git is not known in advance")
		case a.text == "--no-pager", a.text == "--no-optional-locks", a.text == "--literal-pathspecs", a.text == "--no-replace-objects", a.text == "-P":
		case a.text == "--version" && len(args) == 0:
			return fine
		case a.text == "-C" && len(args) > 0:
			f = f.worse(changeFolder(c, "cd", args[:1])) // as good as cd
			c.parts++
			args = args[1:]
		case a.text == "-c" && len(args) > 0:
			if key, _, _ := strings.Cut(args[0].text, "="); !args[0].known || !harmlessGit[strings.ToLower(key)] {
				return alarm("git is given a setting that may run programs")
			}
			c.parts++
			args = args[1:]
		default:
			return alarm("git " + a.text + " may run programs or use another repository")
		}
	}
	if len(args) == 0 {
		return f.worse(ask("it runs git"))
	}
	if !args[0].known || args[0].glob {
		return f.worse(alarm("what git does is not known in advance"))
	}
	sub, rest := args[0].text, args[1:]
	if r, ok := c.gitReads(sub, rest); ok {
		if r.level == safe {
			r = c.gitConfig()
		}
		return f.worse(r)
	}
	return f.worse(gitWrites(sub, rest))
}

// harmlessGit are settings that change how things are shown.
var harmlessGit = map[string]bool{"color.ui": true, "core.quotepath": true, "core.abbrev": true, "log.date": true, "log.decorate": true,
	"column.ui": true, "user.name": true, "user.email": true, "diff.renames": true, "core.autocrlf": true, "advice.detachedhead": true, "init.defaultbranch": true}

// gitReads judges a subcommand that may only read; ok is false if it may do
// more.
func (c *classifier) gitReads(sub string, args []arg) (f finding, ok bool) {
	switch sub {
	case "stash":
		if len(args) == 0 || args[0].text != "list" && args[0].text != "show" {
			return fine, false
		}
		f, _ = logFlags.options(c, "git stash", args[1:])
		return f, f.level == safe
	case "worktree", "notes", "bundle":
		return fine, len(args) >= 1 && args[0].text == "list" && allKnown(args)
	case "config":
		return fine, readsConfig(args)
	case "remote":
		if len(args) == 2 && args[0].text == "get-url" {
			return fine, args[1].known && !strings.HasPrefix(args[1].text, "-")
		}
	case "symbolic-ref":
		return fine, len(args) == 1 && args[0].known && !strings.HasPrefix(args[0].text, "-") ||
			len(args) == 2 && (args[0].text == "--short" || args[0].text == "-q") && args[1].known && !strings.HasPrefix(args[1].text, "-")
	case "reflog":
		if len(args) > 0 && !strings.HasPrefix(args[0].text, "-") && args[0].text != "show" {
			return fine, false
		}
	case "branch", "tag":
		if len(args) > 0 && (args[0].text == "--list" || args[0].text == "-l" || slices.Contains([]string{"--contains", "--merged", "--no-merged", "--no-contains", "--points-at"}, args[0].text)) {
			for _, a := range args[1:] {
				if a.mayBeFlag() {
					return fine, false
				}
			}
			return fine, true
		}
	case "rev-parse":
		for _, a := range args {
			if !a.known {
				return fine, false
			}
		}
	}
	r, known := gitReads[sub]
	if !known {
		return fine, false
	}
	f, operands := r.options(c, "git "+sub, args)
	if r.most < 0 && len(operands) > 0 {
		return fine, false
	}
	if f.level != safe {
		return fine, false
	}
	files := sub == "diff" && !c.inRepo() || slices.ContainsFunc(args, func(a arg) bool { return a.text == "--no-index" })
	for _, a := range operands {
		if gitShows[sub] && !a.known && !a.inside {
			return ask("what git shows is not known in advance"), true
		}
		if files {
			if g := c.readable(a); g.level != safe {
				return g, true
			}
		}
		if gitShows[sub] && a.known {
			named := a
			named.text = a.text[strings.LastIndexByte(a.text, ':')+1:] // of REVISION:PATH
			if g := c.readable(named); g.level == dangerous {
				return g, true
			}
		}
		// A path outside is read by diff --no-index and refused by the rest.
		if a.known && (strings.HasPrefix(a.text, "/") || a.tilde) && c.readable(a).level != safe {
			return ask("it reads outside the workspace"), true
		}
		if a.known && escapes(a.text) && c.readable(a).level != safe {
			return ask("it reads outside the workspace"), true
		}
	}
	return fine, true
}

func allKnown(args []arg) bool {
	return !slices.ContainsFunc(args, func(a arg) bool { return !a.known })
}

// readsConfig reports whether git config only shows settings.
func readsConfig(args []arg) bool {
	if !allKnown(args) {
		return false
	}
	names := 0
	reads := false
	for _, a := range args {
		switch a.text {
		case "--get", "--get-all", "--get-regexp", "-l", "--list":
			reads = true
		case "--local", "--global", "--system", "--show-origin", "--show-scope", "-z", "--null", "--name-only", "--bool", "--int", "--path":
		default:
			if strings.HasPrefix(a.text, "-") {
				return false
			}
			names++
		}
	}
	return reads || names == 1 && !slices.ContainsFunc(args, func(a arg) bool { return a.text == "edit" })
}

// gitWrites judges a subcommand that may change something.
func gitWrites(sub string, args []arg) finding {
	for _, a := range args {
		if a.known && (strings.HasPrefix(a.text, "--upload-pack") || strings.HasPrefix(a.text, "--receive-pack") || strings.Contains(a.text, "::") || strings.HasPrefix(a.text, "--output") || strings.HasPrefix(a.text, "--ext-diff")) {
			return alarm("git is told to run a program or to write a file by " + a.text)
		}
	}
	for _, r := range gitRisk {
		if r.sub != sub {
			continue
		}
		if r.flags == "" {
			return alarm(r.reason)
		}
		flags := strings.Fields(r.flags)
		for _, a := range args {
			flag, _, _ := strings.Cut(a.text, "=")
			if slices.Contains(flags, flag) || a.mayBeFlag() && !a.known || hasShort(flags, a.text) || abbreviates(flags, flag) {
				return alarm(r.reason)
			}
			if sub == "push" && (strings.HasPrefix(a.text, "+") || strings.HasPrefix(a.text, ":")) {
				return alarm(r.reason)
			}
		}
	}
	return ask("git " + sub + " may change the repository")
}

// hasShort finds a one-letter option in a word of several.
func hasShort(flags []string, word string) bool {
	if len(word) < 3 || word[0] != '-' || word[1] == '-' {
		return false
	}
	for i := 1; i < len(word); i++ {
		if slices.Contains(flags, "-"+word[i:i+1]) {
			return true
		}
	}
	return false
}

// abbreviates reports whether a word may be a short form of a long option,
// which git takes.
func abbreviates(flags []string, word string) bool {
	return len(word) > 3 && strings.HasPrefix(word, "--") && slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, word) })
}
