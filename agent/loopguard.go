package agent

import (
	"crypto/sha256"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/tools"
)

// The loop guard counts, within one turn, calls that come again with the same
// result. A call whose result changes is honest polling and never counts.
const (
	warnRepeats = 3
	stopRepeats = 6
	stopDenials = 3
	// conflictPatience is how many times more often a conflict may come again:
	// it is others who keep changing the file.
	conflictPatience = 4
)

type guardVerdict int

const (
	guardFine guardVerdict = iota
	guardWarn
	guardStop
)

type loopGuard struct {
	repeats map[[32]byte]int
	denials map[[32]byte]int
}

// note counts a call with its result.
func (g *loopGuard) note(c model.ToolCall, r *tools.Result) guardVerdict {
	if g.repeats == nil {
		g.repeats, g.denials = map[[32]byte]int{}, map[[32]byte]int{}
	}
	call := c.Name + "\x00" + c.Arguments
	if r.Error != nil && r.Error.Code == tools.CodeDenied {
		k := sha256.Sum256([]byte(call))
		if g.denials[k]++; g.denials[k] >= stopDenials {
			return guardStop
		}
	}
	k := sha256.Sum256([]byte(call + "\x00" + r.Text))
	g.repeats[k]++
	patience := 1
	if r.Error != nil && r.Error.Code == tools.CodeConflict {
		patience = conflictPatience
	}
	switch n := g.repeats[k]; {
	case n >= stopRepeats*patience:
		return guardStop
	case n >= warnRepeats*patience:
		return guardWarn
	}
	return guardFine
}
