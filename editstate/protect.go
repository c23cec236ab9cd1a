package editstate

import (
	"path/filepath"
	"regexp"
	"strings"
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
	".config/fish": StartUp, ".config/autostart": StartUp, ".config/systemd": StartUp, ".bashrc.d": StartUp, "library/launchagents": StartUp,
	".vscode": EditorTasks, ".idea": EditorTasks, ".zed": EditorTasks, ".fleet": EditorTasks, ".cursor": EditorTasks, ".claude": EditorTasks,
	".devcontainer": EditorTasks, ".husky": EditorTasks, ".githooks": EditorTasks, ".emacs.d": EditorTasks, ".vim": EditorTasks, ".config/nvim": EditorTasks,
}

// protectedAbove are those that protect a workspace inside of them, too. A
// workspace below .vscode, such as an extension, is one like any other.
var protectedAbove = map[Protection]bool{GitInternal: true, Credentials: true}

var protectedFiles = fileTable(map[Protection]string{
	StartUp: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
		.kshrc .cshrc .tcshrc .login .envrc config.fish .gitconfig .gitmodules .inputrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs
		.mise.toml mise.toml .pam_environment .xprofile .xsession .xinitrc`,
	Credentials: `.env .netrc _netrc .pgpass .pypirc .htpasswd .git-credentials credentials credentials.json service-account.json
		secrets.json secrets.yaml secrets.yml token.json id_rsa id_dsa id_ecdsa id_ed25519 .dockercfg`,
	EditorTasks: `.vimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .emacs .mcp.json .devcontainer.json
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
	".pem": Credentials, ".key": Credentials, ".p12": Credentials, ".pfx": Credentials, ".keystore": Credentials, ".jks": Credentials, ".kdbx": Credentials,
	".code-workspace": EditorTasks, ".sublime-project": EditorTasks,
}

// envExamples are the endings of .env files that hold no secrets.
var envExamples = map[string]bool{"example": true, "sample": true, "template": true, "dist": true, "defaults": true}

// shortGit is the name of .git in the short form of Windows.
var shortGit = regexp.MustCompile(`^git~\d+$`)

// Protection judges a file by its real path.
func (w *Workspace) Protection(l Loc) Protection {
	for _, own := range w.own {
		if _, ok := below(own, l.Path()); ok {
			return OwnState
		}
	}
	above := pathParts(l.root.dir)
	parts := append(above, pathParts(l.rel)...)
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
	if rest, ok := strings.CutPrefix(name, ".env."); ok && !envExamples[rest] {
		return Credentials
	}
	return protectedExts[filepath.Ext(name)]
}

// protectedFolder judges the last of the parts of a path as a folder. A bare
// repository by its usual name counts below the root only: whoever opens one
// as a workspace wants to work in it.
func protectedFolder(parts []string, below bool) Protection {
	name := parts[len(parts)-1]
	if shortGit.MatchString(name) || below && strings.HasSuffix(name, ".git") {
		return GitInternal
	}
	if p := protectedFolders[name]; p != Unprotected || len(parts) == 1 {
		return p
	}
	return protectedFolders[parts[len(parts)-2]+"/"+name]
}

// pathParts are the names of a path in lower case. A trailing dot or blank
// names the same file on Windows and is dropped.
func pathParts(path string) []string {
	parts := strings.Split(strings.ToLower(filepath.ToSlash(path)), "/")
	for i, p := range parts {
		if t := strings.TrimRight(p, ". "); t != "" {
			parts[i] = t
		}
	}
	return parts
}
