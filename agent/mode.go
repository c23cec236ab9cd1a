package agent

import "fmt"

// Mode says how much a session may do without asking.
type Mode string

// The modes.
const (
	// ModeAsk asks for everything that is not safe.
	ModeAsk Mode = "ask"
	// ModePlan allows reading only.
	ModePlan Mode = "plan"
	// ModeAcceptEdits allows edits of ordinary files in the workspace.
	ModeAcceptEdits Mode = "accept-edits"
	// ModeAuto allows all but dangerous calls.
	ModeAuto Mode = "auto"
)

// ModeInfo describes a mode for a picker.
type ModeInfo struct {
	ID          Mode   `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Modes lists the modes.
func Modes() []ModeInfo {
	return []ModeInfo{
		{ModeAsk, "Ask", "Ask before every edit and command"},
		{ModePlan, "Plan", "Read and plan only; nothing is changed"},
		{ModeAcceptEdits, "Accept edits", "Edit files without asking; ask before commands"},
		{ModeAuto, "Auto", "Ask only before dangerous calls"},
	}
}

// ParseMode reads a mode; "" is ModeAsk.
func ParseMode(s string) (Mode, error) {
	if s == "" {
		return ModeAsk, nil
	}
	for _, m := range Modes() {
		if string(m.ID) == s {
			return m.ID, nil
		}
	}
	return "", &Error{Kind: ErrInvalid, Message: fmt.Sprintf("unknown mode %q: there are ask, plan, accept-edits and auto", s)}
}
