package tools

import (
	"fmt"
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
	return &Error{Code: CodeCircuitOpen, Message: fmt.Sprintf("%s failed %d times in a row and is switched off for now; %s", tool, c.faults, when),
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
	limit, pause := b.Faults, b.Pause
	if limit == 0 {
		limit = 3
	}
	if pause == 0 {
		pause = 300 * time.Second
	}
	if c.faults >= limit {
		c.until, c.trying = b.clock().Add(pause), false
	}
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
	pause := b.Pause
	if pause == 0 {
		pause = 300 * time.Second
	}
	b.state[tool] = &circuit{until: b.clock().Add(pause), message: -1}
}

// Open lists the tools that are switched off, and until when.
func (b *Breaker) Open() map[string]time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[string]time.Time{}
	for tool, c := range b.state {
		if c.until.After(b.clock()) {
			out[tool] = c.until
		}
	}
	return out
}
