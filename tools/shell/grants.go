package shell

import (
	"regexp"
	"strings"
)

// grantWords says how many words of a program a grant for a prefix holds: its
// name alone or with the subcommand. Programs that are not listed get none: a
// grant for `python` or `rm` would be one for everything.
var grantWords = map[string]int{
	"go": 2, "cargo": 2, "npm": 2, "pnpm": 2, "yarn": 2, "bun": 2, "npx": 2, "deno": 2, "git": 2, "make": 2, "just": 2, "task": 2,
	"dotnet": 2, "mvn": 2, "gradle": 2, "pip": 2, "pip3": 2, "poetry": 2, "uv": 2, "bundle": 2, "rake": 2, "mix": 2, "swift": 2, "zig": 2,
	"bazel": 2, "cmake": 2, "ctest": 1, "ninja": 1, "pytest": 1, "tox": 1, "nox": 1, "jest": 1, "vitest": 1, "mocha": 1, "tsc": 1, "eslint": 1,
	"prettier": 1, "biome": 2, "ruff": 2, "black": 1, "mypy": 1, "pyright": 1, "flake8": 1, "pylint": 1, "isort": 1, "gofmt": 1, "goimports": 1,
	"golangci-lint": 2, "staticcheck": 1, "rustfmt": 1, "clang-format": 1, "shellcheck": 1, "terraform": 2, "docker": 2, "kubectl": 2, "gh": 2,
	"mkdir": 1, "touch": 1,
}

// runners have a subcommand whose next word names a script: "npm run build".
var runners = map[string]bool{"npm run": true, "pnpm run": true, "yarn run": true, "bun run": true, "npm run-script": true,
	"poetry run": true, "uv run": true, "bundle exec": true, "npm exec": true, "pnpm exec": true, "docker compose": true, "gh pr": true, "gh issue": true}

// subcommand is a word that a grant may hold.
var subcommand = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_:.@/-]*$`)

// grantPrefix gives the words of a program that a grant for the session may
// cover; "" if there are none: the program is not known, an argument is not
// known in advance, or one leads out of the workspace.
func grantPrefix(args []arg, c *classifier) string {
	n := grantWords[args[0].text]
	if n == 0 {
		return ""
	}
	for _, a := range args {
		if !a.known || a.tilde {
			return ""
		}
	}
	for _, a := range args[1:] {
		text := a.text
		if _, value, ok := strings.Cut(text, "="); ok {
			text = value
		}
		if strings.HasPrefix(text, "/") || escapes(text) {
			if where, _ := c.place(arg{text: text, known: true, glob: a.glob}); where != insideRoots {
				return ""
			}
		}
	}
	words := []string{args[0].text}
	for len(words) < n {
		if len(args) <= len(words) {
			break // "make" by itself
		}
		if w := args[len(words)]; !subcommand.MatchString(w.text) || w.glob {
			return ""
		}
		words = append(words, args[len(words)].text)
		if runners[strings.Join(words, " ")] && n == 2 {
			n = 3
		}
	}
	if len(words) < n && n == 3 {
		return "" // "npm run" lists scripts; a grant for it would cover all
	}
	return strings.Join(words, " ")
}
