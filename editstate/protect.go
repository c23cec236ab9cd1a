package editstate

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
)

// Protection says why a file needs a person's eye whatever the mode.
type Protection string

// The protections. Letter case does not matter, since some file systems do not
// see it.
const (
	Unprotected Protection = ""
	GitInternal Protection = "git internals (hooks and configuration there run programs)"
	OwnState    Protection = "agentd's own files"
	Credentials Protection = "a file that usually holds credentials"
	StartUp     Protection = "a shell start-up file"
	EditorTasks Protection = "an editor file that can run programs"
)

// protectedFolders are the folders whose whole content is protected.
var protectedFolders = map[string]Protection{
	".git": GitInternal, ".agentd": OwnState,
	".ssh": Credentials, ".aws": Credentials, ".azure": Credentials, ".gnupg": Credentials, ".kube": Credentials, ".docker": Credentials,
	".config/gcloud": Credentials, ".config/gh": Credentials,
	".config/fish": StartUp, ".config/powershell": StartUp, ".config/environment.d": StartUp, ".config/git": StartUp, ".config/autostart": StartUp, ".config/systemd": StartUp, ".bashrc.d": StartUp, "library/launchagents": StartUp, "share/applications": StartUp,
	".vscode": EditorTasks, ".idea": EditorTasks, ".zed": EditorTasks, ".fleet": EditorTasks, ".cursor": EditorTasks, ".claude": EditorTasks,
	".devcontainer": EditorTasks, ".husky": EditorTasks, ".githooks": EditorTasks, ".emacs.d": EditorTasks, ".vim": EditorTasks, ".config/nvim": EditorTasks,
	".vs": EditorTasks, ".helix": EditorTasks, ".theia": EditorTasks, ".nova": EditorTasks, ".windsurf": EditorTasks, ".nvim": EditorTasks,
	".config/helix": EditorTasks, ".config/zed": EditorTasks, ".cargo": EditorTasks, ".config/emacs": EditorTasks, ".config/code/user": EditorTasks,
}

// protectedAbove are those that protect a workspace inside of them, too. A
// workspace below .vscode, such as an extension, is one like any other.
var protectedAbove = map[Protection]bool{GitInternal: true, Credentials: true}

var protectedFiles = fileTable(map[Protection]string{
	StartUp: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
		.kshrc .cshrc .tcshrc .login .envrc config.fish .gitconfig .gitmodules .inputrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs
		profile.ps1 microsoft.powershell_profile.ps1 microsoft.vscode_profile.ps1 .gdbinit .lldbinit .tmux.conf
		.mise.toml mise.toml .pam_environment .xprofile .xsession .xinitrc`,
	Credentials: `.env .netrc _netrc .pgpass .pypirc .htpasswd .git-credentials credentials credentials.json credentials.toml .my.cnf .vault-token service-account.json
		secrets.json secrets.yaml secrets.yml token.json id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk .dockercfg`,
	EditorTasks: `.vimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el .emacs .emacs.el .kakrc .mcp.json .devcontainer.json
		.pre-commit-config.yaml lefthook.yml .lefthook.yml`,
})

func fileTable(m map[Protection]string) map[string]Protection {
	out := map[string]Protection{}
	for p, names := range m {
		for _, n := range strings.Fields(names) {
			out[n] = p
		}
	}
	return out
}

var protectedExts = map[string]Protection{
	".pem": Credentials, ".key": Credentials, ".p12": Credentials, ".pfx": Credentials, ".keystore": Credentials, ".jks": Credentials, ".kdbx": Credentials, ".ppk": Credentials,
	".env": Credentials, ".tfstate": Credentials,
	".code-workspace": EditorTasks, ".sublime-project": EditorTasks,
}

// envExamples are the endings of .env files that hold no secrets.
var envExamples = map[string]bool{"example": true, "sample": true, "template": true, "dist": true, "defaults": true}

// shortName matches the short names of Windows: six letters or fewer, or two
// and four hexadecimal digits of a hash.
var shortName = regexp.MustCompile(`^([^.~]{1,6})~\d(?:\.([^.]{1,3}))?$`)

var hashed = regexp.MustCompile(`^[0-9a-f]{4}$`)

// longNames are the protected names that a short name can stand for.
func longNames(name string) (out []string) {
	m := shortName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	for _, table := range []map[string]Protection{protectedFolders, protectedFiles} {
		for long := range table {
			long = long[strings.LastIndexByte(long, '/')+1:]
			stem, ext := strings.TrimLeft(long, "."), ""
			if i := strings.LastIndexByte(stem, '.'); i >= 0 {
				stem, ext = stem[:i], stem[i+1:]
			}
			stem = strings.NewReplacer(".", "", " ", "").Replace(stem)
			if ext[:min(3, len(ext))] != m[2] {
				continue
			}
			if stem[:min(6, len(stem))] == m[1] || len(m[1]) == 6 && len(stem) > 1 && m[1][:2] == stem[:2] && hashed.MatchString(m[1][2:]) {
				out = append(out, long)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Protection judges a file by its real path.
func (w *Workspace) Protection(l Loc) Protection {
	for _, own := range w.own {
		if _, ok := below(own, l.Path()); ok {
			return OwnState
		}
	}
	above, rel := pathParts(l.root.dir), pathParts(l.rel)
	if p := protection(above, rel); p != Unprotected {
		return p
	}
	for i, part := range rel {
		for _, long := range longNames(part) {
			as := slices.Clone(rel)
			as[i] = long
			if p := protection(above, as); p != Unprotected {
				return p
			}
		}
	}
	return Unprotected
}

// protection judges a path below a root by the names in both.
func protection(above, rel []string) Protection {
	parts := slices.Concat(above, rel)
	for i := range parts {
		p := protectedFolder(parts[:i+1], i >= len(above))
		folder := i < len(parts)-1 || p == GitInternal // .git can be a file
		if p != Unprotected && folder && (i >= len(above) || protectedAbove[p]) {
			return p
		}
	}
	name := parts[len(parts)-1]
	if p := protectedFiles[name]; p != Unprotected {
		return p
	}
	if rest, ok := strings.CutPrefix(name, ".env"); ok && rest != "" && strings.ContainsAny(rest[:1], ".-_") && !envExamples[rest[1:]] {
		return Credentials
	}
	return protectedExts[filepath.Ext(name)]
}

// protectedFolder judges the last of the parts of a path as a folder. A bare
// repository by its usual name counts below the root only: whoever opens one
// as a workspace wants to work in it.
func protectedFolder(parts []string, below bool) Protection {
	name := parts[len(parts)-1]
	if below && strings.HasSuffix(name, ".git") {
		return GitInternal
	}
	if p := protectedFolders[name]; p != Unprotected || len(parts) == 1 {
		return p
	}
	return protectedFolders[parts[len(parts)-2]+"/"+name]
}

// pathParts are the names of a path without letter case. File systems that do
// not see it use the folding of Unicode, in which a long s is an s, and some of
// them do not see characters without a form of their own. A trailing dot or
// blank names the same file on Windows and is dropped.
func pathParts(path string) []string {
	path = filepath.ToSlash(path)
	if isASCII(path) {
		path = strings.ToLower(path)
	} else {
		path = cases.Fold().String(strings.Map(visible, path))
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if t := strings.TrimRight(p, ". "); t != "" {
			parts[i] = t
		}
	}
	return parts
}

// visible drops characters that a file system may not see in names.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}
