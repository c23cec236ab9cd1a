package agent

import (
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tools"
)

// TestFits: which commands and files a pattern covers. In doubt a part is denied
// and not allowed.
func TestFits(t *testing.T) {
	const unknown = tools.UnknownWord
	for _, c := range []struct {
		pattern     string
		words       string // separated by blanks
		allow, deny bool
	}{
		{"go test *", "go test", true, true},
		{"go test *", "go test ./... -run X", true, true},
		{"go test *", "go testx", false, false},
		{"go test *", "go", false, false},
		{"go test *", "go vet", false, false},
		{"go test *", "/tmp/go test", false, true},
		{"go test *", "go test " + unknown, false, true},
		{"go test *", "go " + unknown, false, true},
		{"go test *", unknown + " test", false, true},
		{"go test", "go test", true, true},
		{"go test", "go test ./...", false, false},
		{"npm run lint:*", "npm run lint:fix", true, true},
		{"npm run lint:*", "npm run build", false, false},
		{"git * --force", "git push --force", true, true},
		{"git * --force", "git push origin --force", false, false},
		{"*", "anything at all", true, true},
		{"git push *", "git -C . push", false, true},
		{"git push *", "git --no-pager push origin", false, true},
		{"git push -f *", "git push --no-verify -f", false, true},
		{"git push *", "git log push", false, false},
		{"rm -rf *", unknown, false, true},
		{"git push", "git push -v", false, false},
		{"rm *.log", "rm a.log", true, true},
		{"rm *.log", "rm a.log b.txt", false, false},
		{"a*b*c", "aXbYc", true, true},
		{"a*b*c", "aXbY", false, false},
	} {
		part := tools.Part{Words: strings.Split(c.words, " ")}
		if have := fits(c.pattern, part, nil, false); have != c.allow {
			t.Errorf("allow %q: %q: %v", c.pattern, c.words, have)
		}
		if have := fits(c.pattern, part, nil, true); have != c.deny {
			t.Errorf("deny %q: %q: %v", c.pattern, c.words, have)
		}
	}
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"src/**", "/ws/src/a/b.go", true}, {"src/**", "/ws/other/src/b.go", false}, {"*.lock", "/ws/deep/yarn.lock", true}, {"*.lock", "/ws/a.lock/x", false},
		{"./src/*.{ts,tsx}", "/ws/src/a.tsx", true}, {"/ws/**", "/ws/x", true}, {"/etc/*", "/ws/x", false}, {"**/secret/**", "/ws/a/secret/b", true}, {"b/*", "/other/b/x", true}, {"b/*", "/third/b/x", false},
	} {
		if have := fits(c.pattern, tools.Part{Path: c.path}, []string{"/ws", "/other"}, false); have != c.want {
			t.Errorf("%q: %q: %v", c.pattern, c.path, have)
		}
	}
}

// TestRulesCheck: a rule that says nothing is an error when agentd starts, not a
// surprise later.
func TestRulesCheck(t *testing.T) {
	exists := func(name string) bool { return name == "read_file" }
	for _, r := range []Rules{
		{Allow: map[string][]string{"nope": {"*"}}}, {Deny: map[string][]string{"read_file": {""}}}, {Deny: map[string][]string{"read_file": {"["}}}, {Deny: map[string][]string{"[": {"*"}}},
	} {
		if err := r.Check(exists); err == nil {
			t.Errorf("%v passes", r)
		}
	}
	fine := Rules{Allow: map[string][]string{"read_*": {"src/**"}, "mcp__x__y": {"*"}}, Deny: map[string][]string{"read_file": {"*.key"}}}
	if err := fine.Check(exists); err != nil {
		t.Error(err)
	}
}
