// Package search holds the tools that search the workspace.
package search

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed grep.md
var grepText string

// What grep_search gives back.
const (
	outputContent = "content"
	outputFiles   = "files"
	outputCount   = "count"
)

// GrepParams are the arguments of grep_search.
type GrepParams struct {
	Pattern    string `json:"pattern" jsonschema:"minLength=1,description=Regular expression (RE2)\\, or a plain text with literal."`
	Path       string `json:"path,omitempty" jsonschema:"description=File or folder to search; the workspace if left out."`
	Include    string `json:"include,omitempty" jsonschema:"description=Only files that match this glob\\, e.g. *.{ts\\,tsx} or src/**/*.go."`
	Exclude    string `json:"exclude,omitempty" jsonschema:"description=No files or folders that match this glob."`
	Literal    bool   `json:"literal,omitempty" jsonschema:"default=false,description=Take the pattern as plain text."`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"default=false"`
	Context    int    `json:"context,omitempty" jsonschema:"minimum=0,maximum=20,default=0,description=Lines to show around each match."`
	Output     string `json:"output,omitempty" jsonschema:"enum=content,enum=files,enum=count,default=content"`
	Limit      int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000,default=100,description=Matching lines (or files) at once."`
	Offset     int    `json:"offset,omitempty" jsonschema:"minimum=1,default=1,description=First match to show\\, from 1."`
}

// GrepData is the result of grep_search for programs.
type GrepData struct {
	// Matches counts matching lines; it is 0 where only files were asked for.
	Matches int `json:"matches"`
	Files   int `json:"files"`
	// Shown counts what this page shows: lines, or files.
	Shown int `json:"shown"`
	// Next is the offset of the next page, 0 if this is the last.
	Next int `json:"next,omitempty"`
	// Binary counts files that were not searched because they are no text.
	Binary int `json:"binary,omitempty"`
}

// NewGrep makes grep_search.
func NewGrep() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "grep_search", Title: "Search contents", Description: grepText,
		Kind: tools.KindSearch, Level: tools.Safe,
		Traits: tools.Traits{ReadOnly: true, Concurrent: true},
	}, tools.Handler[GrepParams]{
		Plan: func(_ context.Context, c *tools.Call, p *GrepParams) (*tools.Plan, error) {
			places, where, err := starts(c.Env.Files, p.Path)
			if err != nil {
				return nil, err
			}
			plan := &tools.Plan{Title: fmt.Sprintf("Search %q in %s", p.Pattern, where), Parts: parts(places), Locations: locations(places)}
			if named := places[0]; p.Path != "" && c.Env.Files.Protection(named) == editstate.Credentials {
				plan.Level = tools.Dangerous
				plan.Reason = fmt.Sprintf("%s is %s; the model would see them", where, editstate.Credentials)
				plan.Grants = []tools.Grant{{ID: "read:file:" + named.Path(), Label: "reading " + where}}
			}
			return plan, nil
		},
		Run: grep,
	})
}

// starts gives the places where a search begins: the path that was named, or
// every root.
func starts(w *editstate.Workspace, path string) (places []editstate.Loc, where string, err error) {
	paths := []string{path}
	if path == "" {
		paths = outermost(w.Roots())
	}
	for _, p := range paths {
		loc, err := w.Resolve(p)
		if err != nil {
			return nil, "", err
		}
		places = append(places, loc)
	}
	if path == "" {
		return places, "the workspace", nil
	}
	if where = w.Display(places[0]); where == "." {
		where = "the workspace"
	}
	return places, where, nil
}

// outermost drops folders that lie in another one.
func outermost(dirs []string) []string {
	var out []string
	for i, d := range dirs {
		inside := func(o string) bool {
			o, d := strings.TrimSuffix(filepath.ToSlash(o), "/"), strings.TrimSuffix(filepath.ToSlash(d), "/")
			return o != d && strings.HasPrefix(d, o+"/")
		}
		if !slices.ContainsFunc(dirs, inside) && !slices.Contains(dirs[:i], d) {
			out = append(out, d)
		}
	}
	return out
}

func locations(places []editstate.Loc) []tools.Location {
	out := make([]tools.Location, len(places))
	for i, l := range places {
		out[i] = tools.Location{Path: l.Path()}
	}
	return out
}

// parts are the places for the user's rules.
func parts(places []editstate.Loc) []tools.Part {
	out := make([]tools.Part, len(places))
	for i, l := range places {
		out[i] = tools.Part{Path: l.Path()}
	}
	return out
}

// fileHits is a file with matches.
type fileHits struct {
	path  string // absolute
	shown string
	lines int
}

// grepRun is one search.
type grepRun struct {
	w       *editstate.Workspace
	p       *GrepParams
	pattern *pattern
	filter  *filter
	named   string // the path that was named, and so asked about
	hide    func(string) string

	mu         sync.Mutex
	hits       []fileHits
	searched   int
	binary     []string // with matches before their first NUL
	binaries   int
	unreadable []string
	noise      []string
	ignored    int
}

func grep(ctx context.Context, c *tools.Call, p *GrepParams) (*tools.Result, error) {
	g := &grepRun{w: c.Env.Files, p: p, hide: c.Env.Redactor.Hide}
	var err error
	if g.pattern, err = compile(p.Pattern, p.Literal, p.IgnoreCase); err != nil {
		return nil, err
	}
	if g.filter, err = newFilter(p.Include, p.Exclude); err != nil {
		return nil, err
	}
	places, where, err := starts(g.w, p.Path)
	if err != nil {
		return nil, err
	}
	if p.Path != "" {
		g.named = c.Plan.Locations[0].Path // not places: a link may have been bent since
	}
	for _, l := range places {
		if err := g.search(ctx, l); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(g.hits, func(a, b fileHits) int { return strings.Compare(a.shown, b.shown) })
	return g.report(ctx, where)
}

// search counts the matches of each file below a place.
func (g *grepRun) search(ctx context.Context, start editstate.Loc) error {
	prefix := ""
	if d := g.w.Display(start); d != "." {
		prefix = d + "/"
	}
	sum, err := g.w.Walk(ctx, start, editstate.WalkOptions{
		Want:  func(rel, name string) bool { return g.filter.wants(prefix, rel, name) },
		Enter: func(rel, name string) bool { return g.filter.enters(prefix, rel, name) },
		Named: namedParts(g.filter.include...),
	}, func() func(*editstate.WalkFile) {
		s := &counter{g: g, scan: scanner{p: g.pattern, hide: g.hide}}
		return s.visit
	})
	g.noise = append(g.noise, sum.Noise...)
	g.ignored += sum.Ignored
	return err
}

// guarded reports whether a file is not shown, since it usually holds
// credentials and was not named, so that nobody was asked. Nothing is said of
// it either: that it has a match would give away what it holds.
func (g *grepRun) guarded(f *editstate.WalkFile) bool {
	return f.Path() != g.named && f.Protection() == editstate.Credentials
}

// counter counts the matches of one file after the other.
type counter struct {
	g    *grepRun
	scan scanner
	buf  editstate.ReadBuffer
}

func (s *counter) visit(f *editstate.WalkFile) {
	n, binary, err := s.count(f)
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	s.g.searched++
	if n > 0 && s.g.guarded(f) {
		n, binary = 0, false
	}
	switch {
	case err != nil:
		s.g.unreadable = append(s.g.unreadable, f.Display())
	case binary:
		s.g.binaries++
		if n > 0 {
			s.g.binary = append(s.g.binary, f.Display())
		}
	case n > 0:
		s.g.hits = append(s.g.hits, fileHits{path: f.Path(), shown: f.Display(), lines: n})
	}
}

// count gives the number of matching lines; with a NUL byte anywhere near them
// the file is binary.
func (s *counter) count(f *editstate.WalkFile) (n int, binary bool, err error) {
	first := true
	err = f.Pieces(&s.buf, func(piece []byte, _ bool) bool {
		if first && hasNUL(piece[:min(len(piece), sniff)]) {
			binary = true
			return false
		}
		first = false
		before := n
		for found := s.scan.hits(piece); found; {
			if _, _, ok := s.scan.next(); !ok {
				break
			}
			if n++; s.g.p.Output == outputFiles {
				break
			}
		}
		if n > before && hasNUL(piece) {
			binary = true
			return false
		}
		return s.g.p.Output != outputFiles || n == 0
	})
	return n, binary, err
}
