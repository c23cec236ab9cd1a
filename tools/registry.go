package tools

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var nameRule = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Registry holds the tools that there are, in the order of registration. It is
// filled at start and then frozen; after that it is safe for concurrent use.
type Registry struct {
	list   []*Tool
	byName map[string]*Tool
	frozen bool
}

// NewRegistry makes a frozen registry of tools. A duplicate or malformed name
// is an error.
func NewRegistry(list ...*Tool) (*Registry, error) {
	r := OpenRegistry()
	for _, t := range list {
		if err := r.Register(t); err != nil {
			return nil, err
		}
	}
	r.Freeze()
	return r, nil
}

// OpenRegistry makes an empty registry that can be filled until it is frozen.
func OpenRegistry() *Registry { return &Registry{byName: map[string]*Tool{}} }

// Register adds a tool.
func (r *Registry) Register(t *Tool) error {
	switch {
	case r.frozen:
		return fmt.Errorf("registering %q: the registry is frozen", t.Name)
	case !nameRule.MatchString(t.Name):
		return fmt.Errorf("registering %q: a tool's name is 1 to 64 of A-Z a-z 0-9 _ -", t.Name)
	case r.byName[t.Name] != nil:
		return fmt.Errorf("registering %q: there is a tool of that name already", t.Name)
	case t.schema == nil || t.run.run == nil:
		return fmt.Errorf("registering %q: the tool was not made with New", t.Name)
	}
	r.byName[t.Name] = t
	r.list = append(r.list, t)
	return nil
}

// Toolset is one tool that expands into several: its members share a name, a
// state and a fate. They are registered as "name_member".
type Toolset struct {
	Name    string
	Members []*Tool // named without the prefix
}

// Tools gives the members under their full names.
func (s Toolset) Tools() []*Tool {
	out := make([]*Tool, len(s.Members))
	for i, m := range s.Members {
		t := *m
		t.Name = s.Name + "_" + m.Name
		out[i] = &t
	}
	return out
}

// RegisterSet adds the members of a toolset, all or none.
func (r *Registry) RegisterSet(s Toolset) error {
	done := len(r.list)
	for _, t := range s.Tools() {
		if err := r.Register(t); err != nil {
			for _, t := range r.list[done:] {
				delete(r.byName, t.Name)
			}
			r.list = r.list[:done]
			return fmt.Errorf("the toolset %q: %w", s.Name, err)
		}
	}
	return nil
}

// Unregister takes a tool out again, before the registry is frozen.
func (r *Registry) Unregister(name string) error {
	switch {
	case r.frozen:
		return fmt.Errorf("unregistering %q: the registry is frozen", name)
	case r.byName[name] == nil:
		return fmt.Errorf("unregistering %q: there is no such tool", name)
	}
	r.list = slices.DeleteFunc(r.list, func(t *Tool) bool { return t.Name == name })
	delete(r.byName, name)
	return nil
}

// Freeze ends registration.
func (r *Registry) Freeze() { r.frozen = true }

// Get finds a tool, nil if there is none of that name.
func (r *Registry) Get(name string) *Tool { return r.byName[name] }

// List gives all tools. It must not be changed.
func (r *Registry) List() []*Tool { return r.list }

// names lists tools for a message.
func names(list []*Tool) string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Name
	}
	return strings.Join(out, ", ")
}
