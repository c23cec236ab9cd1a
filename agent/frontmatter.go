package agent

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// mostFrontMatter bounds front matter, in bytes.
const mostFrontMatter = 16 << 10

// frontMatter takes the YAML between lines of "---" off the start of a text, as
// names in lower case and their values; the items of a list are joined with commas.
func frontMatter(text string) (meta map[string]string, body string) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	head, body, ok := strings.Cut("\n"+rest, "\n---")
	if !ok || len(head) > mostFrontMatter {
		return nil, text
	}
	// The rest of the last line of dashes is no part of the body.
	if line, after, more := strings.Cut(body, "\n"); strings.Trim(line, "- \t") == "" {
		if body = ""; more {
			body = after
		}
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(head), &values); err != nil {
		return lines(head), body
	}
	meta = map[string]string{}
	for name, v := range values {
		meta[strings.ToLower(name)] = scalar(v)
	}
	return meta, body
}

func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = scalar(v[i])
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return ""
	}
	return fmt.Sprint(v)
}

// lines reads what is no YAML but meant as if it were, such as a description with
// a colon in it that nobody has quoted: a name, a colon and a value on each line.
func lines(head string) map[string]string {
	meta := map[string]string{}
	for line := range strings.Lines(head) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			meta[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return meta
}
