//go:build unix

package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

// prefix is the prefix that a grant for the command would cover.
func prefix(v *verdict) string {
	for _, g := range v.grants("c", "/d") {
		if p, ok := strings.CutPrefix(g.ID, "command:prefix:"); ok {
			return p
		}
	}
	return ""
}

func TestGrantPrefix(t *testing.T) { // A03, A06
	w := classifyWorld(t)
	for command, want := range map[string]string{
		"go test ./...":                     "go test",
		"go test -run 'TestX$' ./a -v":      "go test",
		"go test ./... 2>&1 | tail -20":     "go test",
		"cd sub && go test ./...":           "go test",
		"ls; go test":                       "go test",
		"npm run build":                     "npm run build",
		"npm run build -- --watch":          "npm run build",
		"npm test":                          "npm test",
		"make":                              "make",
		"make test":                         "make test",
		"git commit -m 'a b'":               "git commit",
		"git push":                          "git push",
		"pytest -q tests/":                  "pytest",
		"cargo build --release":             "cargo build",
		"docker compose up -d":              "docker compose up",
		"mkdir -p a/b":                      "mkdir",
		"npm run":                           "",
		"go":                                "go",
		"go -C sub test":                    "",
		"go tes$x":                          "",
		"go test $x":                        "",
		"go test \"$(ls)\"":                 "",
		"go test ./... > out.txt":           "",
		"go test ./... &":                   "",
		"X=1 go test":                       "",
		"go test && go build":               "",
		"go test; touch x":                  "",
		"go test /etc":                      "",
		"go test -o=/etc/x":                 "",
		"go test ../..":                     "",
		"go test -exec ./x":                 "",
		"go test ~/x":                       "",
		"cd .. && go test":                  "",
		"cd $x; go test":                    "",
		"(go test)":                         "",
		"for i in 1 2; do go test; done":    "",
		"if go test; then ls; fi":           "",
		"! go test":                         "go test",
		"nice -n 5 make":                    "",
		"timeout 5 go test":                 "",
		"env go test":                       "",
		"command go test":                   "",
		"bash -c 'go test'":                 "",
		"xargs go test":                     "",
		"find . -exec go test {} \\;":       "",
		"echo $(go test)":                   "",
		"./go test":                         "",
		"sub/go test":                       "",
		"/usr/bin/go test":                  "",
		"python3 x.py":                      "",
		"node x.js":                         "",
		"rm a.txt":                          "",
		"mv a.txt b":                        "",
		"curl example.com":                  "",
		"unknown x":                         "",
		"git statusx":                       "git statusx",
		"git push -f":                       "",
		"git -c color.ui=never commit -m x": "",
		"git -C sub commit -m x":            "",
		"make SHELL=x":                      "",
		"ls":                                "",
	} {
		if got := prefix(w.judge(command)); got != want {
			t.Errorf("%s: prefix %q, want %q", command, got, want)
		}
	}
}

// What is granted for one command covers no other one that looks like it.
func TestGrantsDoNotSpread(t *testing.T) {
	w := classifyWorld(t)
	ids := func(command string) []string {
		var out []string
		for _, g := range w.judge(command).grants(command, w.dir) {
			out = append(out, g.ID)
		}
		return out
	}
	for granted, others := range map[string][]string{
		"git commit -m x": {"git push -f", "rm -rf d", "git commitx", "git commit; rm d", "git commit -m x && touch y", "git commit -m x > f", "git -c a.b=c commit"},
		"nice -n 5 make":  {"nice -n 5 rm -r d", "nice -n 5 rm d", "make", "nice make"},
		"go test ./...":   {"go test ./... ; rm d", "go build", "go testx", "go test $(touch p)", "go test `touch p`", "go test <(touch p)", "PATH=. go test", "./go test"},
		"npm run build":   {"npm run deploy", "npm run", "npm publish", "npm run build; npm run deploy"},
		"make test":       {"make", "make install", "make test SHELL=./x", "sudo make test"},
		"touch a":         {"touch /etc/x", "touch ../x", "touch .git/hooks/pre-commit", "touch ~/.bashrc", "touch $x"},
	} {
		have := ids(granted)
		for _, o := range others {
			for _, id := range ids(o) {
				if slices.Contains(have, id) {
					t.Errorf("a grant for %q covers %q by %s", granted, o, id)
				}
			}
		}
	}
	if a, b := w.judge("make").grants("make", "/a"), w.judge("make").grants("make", "/b"); a[0].ID == b[0].ID {
		t.Error("the exact grant does not hold the folder")
	}
}

func TestDangerousOffersOnlyExact(t *testing.T) {
	w := classifyWorld(t)
	for _, command := range commands(dangerousCommands) {
		g := w.judge(command).grants(command, w.dir)
		if len(g) != 1 || g[0].ID != "command:exact:"+w.dir+":"+command || g[0].Label != "this exact command" {
			t.Errorf("%s: %v", command, g)
		}
	}
}

func TestPlanShowsTheCommand(t *testing.T) { // A19
	w := newWorld(t)
	command := "echo harmless\n" + strings.Repeat("# padding\n", 100) + "rm -rf d"
	var got *tools.Plan
	var level tools.Level
	r := w.d.Run(t.Context(), &tools.Invocation{ID: "c", Name: "run_command", Args: `{"command":` + quote(command) + `}`,
		Hooks: tools.Hooks{Planned: func(p *tools.Plan, l tools.Level) { got, level = p, l }}})
	if r.Status != tools.Success {
		t.Fatal(r.Text)
	}
	if got.Command.Command != command || got.Command.Cwd != w.dir || level != tools.Dangerous || !strings.Contains(got.Reason, "deletes folders") || !got.Traits.Destructive {
		t.Errorf("plan %+v, level %s", got, level)
	}
	for _, g := range got.Grants {
		if g.ID != "command:exact:"+w.dir+":"+command {
			t.Errorf("grant %s", g.ID)
		}
	}
}

func quote(s string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(s) + `"`
}
