package agent

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed prompt.md
var promptText string

// systemPrompt is made once for a session: it must not change from request to
// request, or the provider's cache is lost.
func (s *Session) systemPrompt(today time.Time) string {
	var b strings.Builder
	b.WriteString(promptText)
	fmt.Fprintf(&b, "\nWorkspace: %s\n", strings.Join(s.files.Roots(), ", "))
	fmt.Fprintf(&b, "System: %s. Date: %s.\n", runtime.GOOS, today.Format("2006-01-02"))
	if shell := s.agent.cfg.Shell; shell != "" {
		fmt.Fprintf(&b, "Shell: %s.\n", shell)
	}
	if branch := s.files.GitBranch(); branch != "" {
		fmt.Fprintf(&b, "Git branch at the start of the session: %s.\n", branch)
	}
	var off []string
	for _, t := range s.agent.cfg.Registry.List() {
		if t.Level == tools.Dangerous && !s.dispatch.Enabled(t) {
			off = append(off, t.Name)
		}
	}
	if len(off) > 0 {
		fmt.Fprintf(&b, "Switched off until the user types \"/tool enable NAME\": %s.\n", strings.Join(off, ", "))
	}
	b.WriteString(s.typesText())
	b.WriteString(s.skillsText())
	b.WriteString(s.rootInstructions())
	return b.String()
}
