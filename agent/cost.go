package agent

import (
	"fmt"
	"math"
	"strings"

	"github.com/agentd-dev/agentd/agent/model"
)

// Price is what a million tokens of a model cost, in the user's currency.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
	// Cached is for input that the provider had cached; nil costs what Input does.
	Cached *float64 `json:"cached,omitempty"`
}

// of is what a usage costs.
func (p Price) of(u model.Usage) float64 {
	cached := p.Input
	if p.Cached != nil {
		cached = *p.Cached
	}
	hits := min(u.CachedTokens, u.InputTokens)
	return (float64(u.InputTokens-hits)*p.Input + float64(hits)*cached + float64(u.OutputTokens)*p.Output) / 1e6
}

// Cost is what requests have cost by the user's price table.
type Cost struct {
	Request float64 `json:"request"`
	Turn    float64 `json:"turn"`
	Session float64 `json:"session"`
	// Unpriced is how many requests of the session went to models without a
	// price; they are not in the sums.
	Unpriced int `json:"unpriced,omitempty"`
}

// account is what a session has used, by model. Session.mu guards it.
type account struct {
	models []spending
	total  model.Usage
	cost   Cost
	turn   string      // that was counted last
	last   model.Usage // of it
	priced bool        // it has a cost
}

type spending struct {
	model    string
	requests int
	unpriced int
	usage    model.Usage
	cost     float64
}

// add counts a request; cost is nil if there is no price.
func (a *account) add(turn, name string, u model.Usage, cost *float64) {
	if turn != a.turn {
		a.turn, a.last, a.cost.Turn, a.priced = turn, model.Usage{}, 0, false
	}
	i := 0
	for i < len(a.models) && a.models[i].model != name {
		i++
	}
	if i == len(a.models) {
		a.models = append(a.models, spending{model: name})
	}
	m := &a.models[i]
	m.requests++
	m.usage, a.total, a.last = m.usage.Add(u), a.total.Add(u), a.last.Add(u)
	a.cost.Request = 0
	if cost == nil {
		m.unpriced++
		a.cost.Unpriced++
		return
	}
	a.priced = true
	m.cost += *cost
	a.cost.Request = round(*cost)
	a.cost.Turn = round(a.cost.Turn + *cost)
	a.cost.Session = round(a.cost.Session + *cost)
}

// round leaves nine digits: the others are of the arithmetic.
func round(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// known gives the cost, nil if nothing that was asked has a price.
func (a *account) known() *Cost {
	for _, m := range a.models {
		if m.unpriced < m.requests {
			c := a.cost
			return &c
		}
	}
	return nil
}

// replay counts a request of a stored session, at what it cost then.
func (a *account) replay(turn string, e UsageEvent) {
	var cost *float64
	if e.Cost != nil && !e.Unpriced {
		cost = &e.Cost.Request
	}
	a.add(turn, e.Model, e.Request, cost)
}

// count adds a reply to the accounts of the turn and the session, and tells the
// client. Where the server gave no numbers they are estimated.
func (t *turn) count(fin *model.Finish) {
	s := t.s
	if fin.Usage != nil && *fin.Usage == (model.Usage{}) {
		return // a scripted model uses nothing
	}
	if fin.Usage == nil {
		fin.Usage = &model.Usage{InputTokens: s.tokens(s.requestSize()), OutputTokens: s.tokens(sizeOf(fin.Message)), Estimated: true}
	}
	u := *fin.Usage
	t.usage = t.usage.Add(u)
	s.mu.Lock()
	name := s.model.Name()
	var cost *float64
	if p, ok := s.agent.cfg.Prices[name]; ok {
		c := p.of(u)
		cost = &c
	}
	s.account.add(t.id, name, u, cost)
	e := UsageEvent{Model: name, Request: u, Turn: s.account.last, Session: s.account.total, Cost: s.account.known(),
		Unpriced: cost == nil, ContextTokens: u.InputTokens + u.OutputTokens}
	s.mu.Unlock()
	e.ContextWindow = s.window()
	t.emit(e)
}

// costOf is what a turn has cost, nil if there is no price for any of it.
func (s *Session) costOf(turn string) *float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.account.priced || s.account.turn != turn {
		return nil
	}
	cost := s.account.cost.Turn
	return &cost
}

// costCommand is /cost.
func (s *Session) costCommand(string) (string, error) {
	s.mu.Lock()
	a := s.account
	models := append([]spending(nil), a.models...)
	s.mu.Unlock()
	if len(models) == 0 {
		return "Nothing has been asked of a model yet.", nil
	}
	var out strings.Builder
	var unpriced []string
	for _, m := range models {
		fmt.Fprintf(&out, "- `%s`, %d requests: %s", m.model, m.requests, tokenCount(m.usage))
		if m.unpriced < m.requests {
			fmt.Fprintf(&out, ", cost %s", money(m.cost))
		}
		out.WriteString("\n")
		if m.unpriced > 0 {
			unpriced = append(unpriced, "`"+m.model+"`")
		}
	}
	fmt.Fprintf(&out, "- Last turn: %s", tokenCount(a.last))
	if a.priced {
		fmt.Fprintf(&out, ", cost %s", money(a.cost.Turn))
	}
	fmt.Fprintf(&out, "\n- Session: %s", tokenCount(a.total))
	if a.known() != nil {
		fmt.Fprintf(&out, ", cost %s", money(a.cost.Session))
	}
	out.WriteString("\n")
	if a.total.Estimated {
		out.WriteString("\nA number with ~ is at least in part an estimate: the server gave none.\n")
	}
	if len(unpriced) > 0 {
		fmt.Fprintf(&out, "\nNo price is known of %s, so this is not in the cost. The config file can have it: `\"prices\": {\"MODEL\": {\"input\": ..., \"output\": ..., \"cached\": ...}}`, per million tokens.\n", strings.Join(unpriced, ", "))
	}
	return out.String(), nil
}

// tokenCount shows a usage in one line.
func tokenCount(u model.Usage) string {
	about := ""
	if u.Estimated {
		about = "~"
	}
	text := fmt.Sprintf("%s%d tokens in", about, u.InputTokens)
	if u.CachedTokens > 0 {
		text += fmt.Sprintf(" (%d cached)", u.CachedTokens)
	}
	text += fmt.Sprintf(", %s%d out", about, u.OutputTokens)
	if u.ReasoningTokens > 0 {
		text += fmt.Sprintf(" (%d thinking)", u.ReasoningTokens)
	}
	return text
}

// money shows an amount with as many digits as say something.
func money(v float64) string {
	if v != 0 && v < 0.1 {
		return fmt.Sprintf("%.6f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
