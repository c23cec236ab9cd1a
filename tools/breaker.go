package tools

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Breaker switches a tool off for a while when it keeps failing by its own
// fault: a crash, a lost server, a time-out of its own. Mistakes of the model
// and refusals do not count. After the pause one call is let through: if it
// goes well the tool is back.
type Breaker struct {
	// Faults in a row open the circuit; 0 means 3.
	Faults int
	// Pause is how long it stays open; 0 means 300 s.
	Pause time.Duration

	now func() time.Time

	mu    sync.Mutex
	state map[string]*circuit
}

type circuit struct {
	faults  int
	until   time.Time // open until; zero when closed
	trying  bool      // the one call after the pause is under way
	message int       // the message whose calls count once
}

func (b *Breaker) clock() time.Time {
	if b.now != nil {
		return b.now()
	}
	return time.Now()
}

// Admit lets a call through or says when the tool is back.
func (b *Breaker) Admit(tool string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.state[tool]
	if c == nil || c.until.IsZero() {
		return nil
	}
	left := c.until.Sub(b.clock())
	if left <= 0 && !c.trying {
		c.trying = true
		return nil
	}
	when := "another call is trying it right now"
	if left > 0 {
		when = fmt.Sprintf("it is tried again in %d s", int(left.Seconds()+1))
	}
	why := fmt.Sprintf("failed %d times in a row", c.faults)
	if c.faults == 0 {
		why = "was stopped by hand"
	}
	return &Error{Code: CodeCircuitOpen, Message: fmt.Sprintf("%s %s and is switched off for now; %s", tool, why, when),
		Hint: "Go on with other tools, or tell the user."}
}

// Report counts the end of an admitted call. The calls of one model message
// count once.
func (b *Breaker) Report(tool string, message int, fault bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.state[tool]
	if !fault {
		if c != nil {
			delete(b.state, tool)
		}
		return
	}
	if b.state == nil {
		b.state = map[string]*circuit{}
	}
	if c == nil {
		c = &circuit{message: -1}
		b.state[tool] = c
	}
	if c.message != message || c.trying {
		c.faults++
	}
	c.message = message
	limit := b.Faults
	if limit == 0 {
		limit = 3
	}
	if c.faults >= limit {
		c.until, c.trying = b.clock().Add(b.pause()), false
	}
}

func (b *Breaker) pause() time.Duration {
	if b.Pause == 0 {
		return 300 * time.Second
	}
	return b.Pause
}

// Abandon takes back an admission whose call never ran.
func (b *Breaker) Abandon(tool string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.state[tool]; c != nil {
		c.trying = false
	}
}

// Set opens (for the pause) or closes a circuit by hand.
func (b *Breaker) Set(tool string, open bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !open {
		delete(b.state, tool)
		return
	}
	if b.state == nil {
		b.state = map[string]*circuit{}
	}
	b.state[tool] = &circuit{until: b.clock().Add(b.pause()), message: -1}
}

// Circuit is what a Breaker knows of a tool that has failed or was switched off
// by hand.
type Circuit struct {
	Tool   string `json:"tool"`
	Faults int    `json:"faults"` // in a row
	Open   bool   `json:"open"`
	// RetryInMs is when an open circuit lets a call through again.
	RetryInMs int64 `json:"retryInMs,omitempty"`
}

// Circuits lists them in the order of names.
func (b *Breaker) Circuits() []Circuit {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := []Circuit{}
	for tool, c := range b.state {
		out = append(out, Circuit{tool, c.faults, !c.until.IsZero(), max(c.until.Sub(b.clock()).Milliseconds(), 0)})
		if last := &out[len(out)-1]; !last.Open {
			last.RetryInMs = 0
		}
	}
	slices.SortFunc(out, func(a, b Circuit) int { return strings.Compare(a.Tool, b.Tool) })
	return out
}
