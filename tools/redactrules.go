package tools

import (
	"regexp"
	"strings"
	"unicode"
)

// secretRule finds one kind of secret. The rule runs only on texts that hold
// one of its keywords, so that ordinary text costs a substring search.
type secretRule struct {
	name     string
	keywords []string
	re       *regexp.Regexp
	group    int // what is masked: the whole match or a group of it
	// really, if set, has the last word on the text of the groups.
	really func(m []string) bool
}

// secretRules (at most 64) are precise rather than many: ordinary code must
// never be masked. The shapes of keys are those that the providers document, most of
// them collected in the rules of gitleaks and GitHub's secret scanning.
var secretRules = []secretRule{
	{name: "OpenAI, Anthropic and others", keywords: []string{"sk-"}, re: regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`), really: random},
	{name: "GitHub", keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, re: regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})`)},
	{name: "GitLab", keywords: []string{"glpat-", "gldt-", "glrt-", "glptt-"}, re: regexp.MustCompile(`\b(?:glpat|gldt|glrt|glptt)-[A-Za-z0-9_.-]{20,}`), really: random},
	{name: "AWS key id", keywords: []string{"AKIA", "ASIA"}, re: regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)},
	{name: "AWS secret", keywords: []string{"ecret"}, re: regexp.MustCompile(`(?i)aws_?secret_?(?:access_?)?key["']?\s*[:=]\s*["']?([A-Za-z0-9/+=]{40})`), group: 1},
	{name: "Google", keywords: []string{"AIza", "GOCSPX-", "ya29."}, re: regexp.MustCompile(`\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,})`)},
	{name: "Azure", keywords: []string{"AccountKey=", "SharedAccessKey="}, re: regexp.MustCompile(`\b(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}={0,2})`), group: 1},
	{name: "Slack", keywords: []string{"xox", "xapp-"}, re: regexp.MustCompile(`\b(?:xox[abeprs]|xapp)-[A-Za-z0-9-]{10,}`), really: random},
	{name: "Slack webhook", keywords: []string{"hooks.slack.com/"}, re: regexp.MustCompile(`hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/+_-]{30,})`), group: 1},
	{name: "Stripe", keywords: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, re: regexp.MustCompile(`\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})`), really: random},
	{name: "npm", keywords: []string{"npm_"}, re: regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`), really: random},
	{name: "PyPI", keywords: []string{"pypi-Ag"}, re: regexp.MustCompile(`\bpypi-Ag[A-Za-z0-9_-]{50,}`)},
	{name: "SendGrid", keywords: []string{"SG."}, re: regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`)},
	{name: "Hugging Face", keywords: []string{"hf_"}, re: regexp.MustCompile(`\bhf_[A-Za-z0-9]{30,}\b`), really: random},
	{name: "DigitalOcean", keywords: []string{"_v1_"}, re: regexp.MustCompile(`\bdo[opr]_v1_[a-f0-9]{64}\b`)},
	{name: "Telegram bot", keywords: []string{":AA"}, re: regexp.MustCompile(`(?:\b|bot)[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}\b`)},
	{name: "Databricks, Linear, Notion, Groq, xAI, Replicate", keywords: []string{"dapi", "lin_api_", "ntn_", "gsk_", "xai-", "r8_"}, re: regexp.MustCompile(`\b(?:dapi[a-f0-9]{32}|lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|gsk_[A-Za-z0-9]{32,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{36,})\b`), really: random},
	{name: "JSON web token", keywords: []string{"eyJ"}, re: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{20,}`)},
	{name: "private key", keywords: []string{"PRIVATE KEY"}, re: regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.+?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), really: keyMaterial},
	{name: "authorization header", keywords: []string{"uthorization", "UTHORIZATION", "earer "}, re: regexp.MustCompile(`(?i)\b(?:authorization["']?\s*[:=]\s*["']?(?:basic|token)|bearer) ([A-Za-z0-9._~+/-]{16,}=*)`), group: 1, really: random},
	{name: "header with a key", keywords: []string{"-key", "-Key", "-KEY", "-token", "-Token", "-TOKEN"}, re: regexp.MustCompile(`(?i)\b(?:x-api-key|api-key|x-goog-api-key|x-auth-token|private-token|x-vault-token)["']?\s*[:=]\s*["']?([A-Za-z0-9._~+/=-]{16,})`), group: 1, really: random},
	{name: "password in a URL", keywords: []string{"://"}, re: regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s:/@"'<>{}$]{0,64}:([^\s:/@"'<>{}$]{4,})@`), group: 1, really: func(m []string) bool { return !placeholder(m[1]) }},
	{name: "environment", keywords: []string{"SECRET=", "TOKEN=", "PASSWORD=", "PASSWD=", "PASS=", "PWD=", "KEY=", "CREDENTIAL=", "CREDENTIALS=", "PASSPHRASE="},
		re:    regexp.MustCompile("(?m)(?:^|[\\s:;\"'`])(?:[A-Z][A-Z0-9_]*_)?(?:SECRET|TOKEN|PASSWORD|PASSWD|PASS|PWD|API_?KEY|ACCESS_?KEY|SECRET_?KEY|PRIVATE_?KEY|ENCRYPTION_?KEY|SIGNING_?KEY|CREDENTIALS?|PASSPHRASE)=(?:\"([^\"\\n]+)\"|'([^'\\n]+)'|([^\\s\"'`]+))"),
		group: -1, really: secretValue},
}

// random reports whether a text is as varied as keys are: names of CSS classes
// and placeholders are not.
func random(m []string) bool {
	s := m[len(m)-1]
	digits, run, longest, seen := 0, 0, 0, map[rune]bool{}
	for _, r := range s {
		run++
		switch {
		case unicode.IsDigit(r):
			digits++
		case !unicode.IsLetter(r):
			run = 0
		}
		longest = max(longest, run)
		seen[r] = true
	}
	return len(seen) >= 8 && (digits >= 2 || longest >= 20)
}

// keyMaterial reports whether a text that begins with the mark of a private key
// is one: code that looks for the marks is not. An unfinished one has to look
// like a key.
func keyMaterial(m []string) bool {
	_, body, _ := strings.Cut(m[0][len("-----BEGIN "):], "-----")
	if !afterMark.MatchString(body) {
		return false
	}
	return strings.Contains(body, "-----END ") || base64Run.MatchString(body)
}

var (
	base64Run = regexp.MustCompile(`[A-Za-z0-9+/=]{40,}`)
	afterMark = regexp.MustCompile(`^[ \t]*(?:\r?\n|\\r|\\n|[A-Za-z0-9+/=]{40,})`)
)

var (
	number    = regexp.MustCompile(`^(?:0[xX])?[0-9a-fA-F_.]*[0-9][0-9a-fA-F_.]*[,;]?$`)
	codeValue = regexp.MustCompile(`^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[,;]?|.*\(.*|.*\)[,;]?|[A-Za-z_][\w.]*\[.*)$`)
)

// secretValue judges the value of a variable whose name says that it is secret.
func secretValue(m []string) bool {
	quoted := m[1] + m[2]
	v := quoted + m[3]
	switch {
	case len(v) < 8 || strings.HasPrefix(v, "$") || placeholder(v) || strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1:
		return false
	case number.MatchString(v) && len(v) < 16:
		return false
	case quoted == "" && codeValue.MatchString(v):
		return false
	}
	return strings.IndexFunc(v, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }) >= 0
}

// placeholders are values that stand for a secret in examples and templates.
var placeholders = regexp.MustCompile(`(?i)^(?:pass|password|passwd|pwd|secret|token|user|admin|root|test|guest|postgres|mysql|redis|rabbitmq|minioadmin|none|null|true|false|undefined)[0-9]{0,3}$|example|your[-_ ]|change|placeholder|redacted|dummy|insert|xxxx|\*\*\*|\.\.\.|^[<{$%\[]`)

func placeholder(s string) bool {
	return placeholders.MatchString(s) || strings.Trim(s, s[:1]) == ""
}
