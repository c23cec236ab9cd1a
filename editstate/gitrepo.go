package editstate

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// gitRepo is where the repository that holds a folder keeps its things. They
// may lie above the workspace: a session can be opened in a part of a
// repository, whose rules hold there all the same.
type gitRepo struct {
	top    string // the folder that holds .git
	gitDir string // of this work tree
	common string // of the repository: configuration and info/exclude
}

// findRepo finds the repository that holds the folder dir.
func findRepo(dir string) (gitRepo, bool) {
	for {
		if r, ok := repoAt(dir); ok {
			return r, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return gitRepo{}, false
		}
		dir = up
	}
}

// repoAt reads dir/.git: a folder, or in work trees and submodules a file that
// names one.
func repoAt(dir string) (gitRepo, bool) {
	dot := filepath.Join(dir, ".git")
	fi, err := os.Stat(dot)
	if err != nil {
		return gitRepo{}, false
	}
	r := gitRepo{top: dir, gitDir: dot}
	if !fi.IsDir() {
		link, ok := strings.CutPrefix(string(readSmall(dot)), "gitdir:")
		if !ok {
			return gitRepo{}, false
		}
		r.gitDir = absFrom(dir, strings.TrimSpace(link))
	}
	r.common = r.gitDir
	if common := strings.TrimSpace(string(readSmall(filepath.Join(r.gitDir, "commondir")))); common != "" {
		r.common = absFrom(r.gitDir, common)
	}
	return r, true
}

func absFrom(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// maxSmall bounds the files of git that are read whole.
const maxSmall = 1 << 20

// readSmall reads a file of git's configuration; nil if there is none.
func readSmall(path string) []byte {
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(f, maxSmall))
	if err != nil {
		return nil
	}
	return b
}

// GitConfig is the text of the repository's own configuration that holds in
// the folder l, and whether there is a repository. It is for judging whether a
// git command could start a program that the configuration names.
func (w *Workspace) GitConfig(l Loc) (text string, ok bool) {
	r, ok := findRepo(l.Path())
	if !ok {
		return "", false
	}
	b := readSmall(filepath.Join(r.common, "config"))
	b = append(append(b, '\n'), readSmall(filepath.Join(r.gitDir, "config.worktree"))...)
	return string(b), true
}

// GitBranch is the branch that is checked out in the first root; "" without a
// repository, or when none is.
func (w *Workspace) GitBranch() string {
	r, ok := findRepo(w.Dir())
	if !ok {
		return ""
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(readSmall(filepath.Join(r.gitDir, "HEAD")))), "ref: refs/heads/")
	if !ok || strings.ContainsAny(branch, " \n\t:") || len(branch) > 200 {
		return ""
	}
	return branch
}

// excludesFile finds the user's own ignore file: core.excludesFile, else git's
// default place for it.
func excludesFile(repo gitRepo) string {
	home, _ := os.UserHomeDir()
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	var configs []string // the last one wins
	if xdg != "" {
		configs = append(configs, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		configs = append(configs, filepath.Join(home, ".gitconfig"))
	}
	if repo.common != "" {
		configs = append(configs, filepath.Join(repo.common, "config"))
	}
	path := ""
	if xdg != "" {
		path = filepath.Join(xdg, "git", "ignore")
	}
	for _, c := range configs {
		if p := coreExcludes(readSmall(c)); p != "" {
			path = p
		}
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(home, rest)
	}
	return path
}

// coreExcludes reads core.excludesFile from a git configuration.
func coreExcludes(config []byte) string {
	if !bytes.Contains(bytes.ToLower(config), []byte("excludesfile")) {
		return ""
	}
	in, found := false, ""
	for line := range strings.Lines(string(config)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(strings.Trim(line, "[] \t"), "core")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if in && ok && strings.EqualFold(strings.TrimSpace(key), "excludesfile") {
			found = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return found
}
