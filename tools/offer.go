package tools

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Enabled reports whether a tool is on: dangerous ones are off until enabled.
func (d *Dispatcher) Enabled(t *Tool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if on, set := d.enabled[t.Name]; set {
		return on
	}
	return t.OnByDefault()
}

// Get finds a tool, nil if there is none of that name.
func (d *Dispatcher) Get(name string) *Tool {
	if t := d.Registry.Get(name); t != nil || d.More == nil {
		return t
	}
	return d.More().Get(name)
}

// List lists the tools that there are now; it must not be changed.
func (d *Dispatcher) List() []*Tool {
	if d.More == nil {
		return d.Registry.List()
	}
	if more := d.More().List(); len(more) > 0 {
		return slices.Concat(d.Registry.List(), more)
	}
	return d.Registry.List()
}

// Enable switches a tool on or off for this session.
func (d *Dispatcher) Enable(name string, on bool) error {
	if d.Get(name) == nil {
		return &Error{Code: CodeNotFound, Message: fmt.Sprintf("there is no tool %q", name), Hint: "The tools are " + names(d.List()) + "."}
	}
	d.Preset(name, on)
	return nil
}

// Preset switches a tool on or off that may come later.
func (d *Dispatcher) Preset(name string, on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.enabled == nil {
		d.enabled = map[string]bool{}
	}
	d.enabled[name] = on
}

// Offered lists the tools that the model is told about. Deferred ones come last,
// in the order in which they were found, so that the list before them stays as
// it was.
func (d *Dispatcher) Offered() []*Tool {
	var out []*Tool
	deferred := false
	for _, t := range d.List() {
		switch {
		case !d.on(t):
		case t.Deferred:
			deferred = true
		default:
			out = append(out, t)
		}
	}
	if !deferred {
		out = slices.DeleteFunc(out, func(t *Tool) bool { return t.Name == SearchTool })
	}
	d.mu.Lock()
	loaded := slices.Clone(d.loaded)
	d.mu.Unlock()
	for _, name := range loaded {
		if t := d.Get(name); t != nil && d.on(t) {
			out = append(out, t)
		}
	}
	return out
}

// SearchTool is the tool that finds deferred tools. Without any it is not
// offered.
const SearchTool = "tool_search"

// on reports whether a tool is enabled and of use.
func (d *Dispatcher) on(t *Tool) bool {
	if !d.Enabled(t) || !d.usable(t) {
		return false
	}
	return len(t.With) == 0 || slices.ContainsFunc(t.With, func(name string) bool {
		w := d.Get(name)
		return w != nil && d.Enabled(w)
	})
}

func (d *Dispatcher) usable(t *Tool) bool {
	return (!t.NeedsAsk || d.Env.Ask != nil) && (!t.NeedsSpawn || d.Env.Spawn != nil) && (!t.NeedsSkills || d.Env.Skill != nil) && (!t.NeedsTeam || d.Env.Team != nil)
}

// missing says what a tool needs that there is not.
func (d *Dispatcher) missing(t *Tool) *Error {
	e := &Error{Code: CodeUnavailable, Message: fmt.Sprintf("%s is of no use here", t.Name), Hint: "Go on without it."}
	switch {
	case t.NeedsAsk:
		e.Message, e.Hint = "this editor cannot show questions", "Decide by yourself, or end your turn with the question."
	case t.NeedsSkills:
		e.Message, e.Hint = "there are no skills in this session", "Go on without; the user can add some."
	case t.NeedsTeam:
		e.Message, e.Hint = "this agent is in no team", "Do the task yourself, and answer with what you have found."
	case t.NeedsSpawn:
		e.Message, e.Hint = "no subagents can be started here", "Do the task yourself."
	}
	return e
}

// Load offers deferred tools to the model from now on.
func (d *Dispatcher) Load(names ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range names {
		if t := d.Get(n); t != nil && t.Deferred && !slices.Contains(d.loaded, n) {
			d.loaded = append(d.loaded, n)
		}
	}
}

// Find gives the deferred tools that fit a query best: each of its words counts
// where it stands in the name, the title or the description.
func (d *Dispatcher) Find(query string, limit int) []*Tool {
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	type scored struct {
		t     *Tool
		score int
	}
	var found []scored
	for _, t := range d.List() {
		if !t.Deferred || !d.on(t) {
			continue
		}
		s := scored{t: t}
		name, text := strings.ToLower(t.Name+" "+t.Title), strings.ToLower(t.Description)
		for _, w := range words {
			switch {
			case strings.Contains(name, w):
				s.score += 3
			case strings.Contains(text, w):
				s.score++
			}
		}
		if strings.EqualFold(strings.TrimSpace(query), t.Name) {
			s.score += 100
		}
		if s.score > 0 {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	var out []*Tool
	for _, s := range found[:min(limit, len(found))] {
		out = append(out, s.t)
	}
	return out
}
