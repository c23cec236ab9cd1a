package editstate

import (
	"path/filepath"
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

var startUpFiles = map[string]bool{
	".bashrc": true, ".bash_profile": true, ".bash_login": true, ".bash_logout": true, ".bash_aliases": true,
	".profile": true, ".zshrc": true, ".zshenv": true, ".zprofile": true, ".zlogin": true, ".zlogout": true,
	".kshrc": true, ".cshrc": true, ".tcshrc": true, ".login": true, ".envrc": true, "config.fish": true,
	".gitconfig": true, ".gitmodules": true, ".inputrc": true, ".vimrc": true, ".exrc": true, ".npmrc": true,
}

var credentialFiles = map[string]bool{
	".netrc": true, "_netrc": true, ".pgpass": true, ".pypirc": true, ".htpasswd": true, ".git-credentials": true,
	"credentials": true, "credentials.json": true, "service-account.json": true, "secrets.json": true,
	"secrets.yaml": true, "secrets.yml": true, "id_rsa": true, "id_dsa": true, "id_ecdsa": true, "id_ed25519": true,
	".dockercfg": true, "token.json": true,
}

var credentialExts = map[string]bool{".pem": true, ".key": true, ".p12": true, ".pfx": true, ".keystore": true, ".jks": true, ".kdbx": true}

// envExamples are the endings of .env files that hold no secrets.
var envExamples = map[string]bool{"example": true, "sample": true, "template": true, "dist": true, "defaults": true}

// Protection judges a file by its real path.
func (w *Workspace) Protection(l Loc) Protection {
	for _, own := range w.cfg.Own {
		if _, ok := below(own, l.Path()); ok {
			return OwnState
		}
	}
	parts := strings.Split(strings.ToLower(filepath.ToSlash(l.rel)), "/")
	name := parts[len(parts)-1]
	for i, p := range parts {
		// A trailing dot or blank names the same file on Windows.
		switch strings.TrimRight(p, ". ") {
		case ".git":
			return GitInternal
		case ".agentd":
			return OwnState
		case ".ssh", ".aws", ".gnupg", ".kube", ".docker":
			if i < len(parts)-1 {
				return Credentials
			}
		case ".vscode", ".idea", ".zed", ".devcontainer", ".husky", ".githooks":
			if i < len(parts)-1 {
				return EditorTasks
			}
		}
	}
	switch {
	case startUpFiles[name]:
		return StartUp
	case credentialFiles[name] || credentialExts[filepath.Ext(name)]:
		return Credentials
	case name == ".env" || strings.HasPrefix(name, ".env.") && !envExamples[strings.TrimPrefix(name, ".env.")]:
		return Credentials
	}
	return Unprotected
}
