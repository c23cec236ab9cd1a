package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentd-dev/agentd/agent/store"
)

// Effort says how much a model is to think before it answers.
type Effort string

// EffortDefault leaves it to the server.
const EffortDefault Effort = "default"

// Efforts lists the levels, the default first.
func Efforts() []Effort { return []Effort{EffortDefault, "low", "medium", "high"} }

// ParseEffort reads an effort; "" is the default.
func ParseEffort(s string) (Effort, error) {
	if s == "" {
		return EffortDefault, nil
	}
	if !slices.Contains(Efforts(), Effort(s)) {
		return "", &Error{Kind: ErrInvalid, Message: fmt.Sprintf("unknown effort %q: there are default, low, medium and high", s)}
	}
	return Effort(s), nil
}

// Effort is how much the session's model is to think.
func (s *Session) Effort() Effort {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.effort
}

// SetEffort changes it; it holds from the next request on. A model that knows no
// such thing is asked without.
func (s *Session) SetEffort(effort string) error {
	e, err := ParseEffort(effort)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.effort = e
	s.mu.Unlock()
	s.journal.config(store.Config{Effort: string(e)})
	s.tellConfig()
	return nil
}

// requestEffort is the effort for a request, "" for the server's own. s.mu is
// held.
func (s *Session) requestEffort() string {
	return strings.TrimPrefix(string(s.effort), string(EffortDefault))
}
