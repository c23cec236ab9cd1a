package tools

import (
	"regexp"
	"strings"
)

// Mask stands in place of a secret.
const Mask = "[REDACTED]"

// secretRule finds one kind of secret. The rule runs only on texts that hold
// one of its keywords, so that ordinary text costs a substring search.
type secretRule struct {
	name     string
	keywords []string
	re       *regexp.Regexp
	group    int // what is masked: the whole match or a group of it
}

// secretRules are few and precise: ordinary code must never be masked.
var secretRules = []secretRule{
	{"openai key", []string{"sk-"}, regexp.MustCompile(`\bsk-(?:proj-|svcacct-|ant-[a-z0-9]+-)?[A-Za-z0-9_-]{20,}`), 0},
	{"github token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})`), 0},
	{"aws key", []string{"AKIA", "ASIA"}, regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`), 0},
	{"google key", []string{"AIza"}, regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`), 0},
	{"slack token", []string{"xox"}, regexp.MustCompile(`\bxox[abeprs]-[A-Za-z0-9-]{10,}`), 0},
	{"private key", []string{"PRIVATE KEY-----"}, regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.+?-----END [A-Z ]*PRIVATE KEY-----`), 0},
	{"authorization header", []string{"earer "}, regexp.MustCompile(`\b[Bb]earer ([A-Za-z0-9._~+/-]{20,}=*)`), 1},
	{"password in a url", []string{"://"}, regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s:/@"'<>{}$]{1,64}:([^\s:/@"'<>{}$]{4,})@`), 1},
}

// Redactor masks secrets in what goes to the model, the log and the audit.
type Redactor struct {
	known *strings.Replacer
}

// NewRedactor makes a redactor that also masks the given texts: the keys that
// agentd itself holds. Texts under 8 characters are ignored.
func NewRedactor(secrets ...string) *Redactor {
	var pairs []string
	for _, s := range secrets {
		if len(s) >= 8 {
			pairs = append(pairs, s, Mask)
		}
	}
	if len(pairs) == 0 {
		return &Redactor{}
	}
	return &Redactor{known: strings.NewReplacer(pairs...)}
}

// Text masks the secrets in s.
func (r *Redactor) Text(s string) string {
	if r == nil {
		return s
	}
	if r.known != nil {
		s = r.known.Replace(s)
	}
	for i := range secretRules {
		rule := &secretRules[i]
		if !containsAny(s, rule.keywords) {
			continue
		}
		s = maskMatches(s, rule)
	}
	return s
}

// Clean reports whether Text would change s.
func (r *Redactor) Clean(s string) bool { return r.Text(s) == s }

func maskMatches(s string, rule *secretRule) string {
	var out strings.Builder
	done := 0
	for _, m := range rule.re.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2*rule.group], m[2*rule.group+1]
		out.WriteString(s[done:from])
		out.WriteString(Mask)
		done = to
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
