package tools

import (
	"fmt"
	"regexp"
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
	r := &Registry{byName: map[string]*Tool{}}
	for _, t := range list {
		if err := r.Register(t); err != nil {
			return nil, err
		}
	}
	r.Freeze()
	return r, nil
}

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
