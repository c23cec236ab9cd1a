package search

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed glob.md
var globText string

// GlobParams are the arguments of glob_search.
type GlobParams struct {
	Pattern string `json:"pattern" jsonschema:"minLength=1,description=Glob\\, e.g. **/*.{ts\\,tsx}; relative to path."`
	Path    string `json:"path,omitempty" jsonschema:"description=Folder to search; the workspace if left out."`
	Limit   int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000,default=100,description=Files at once."`
	Offset  int    `json:"offset,omitempty" jsonschema:"minimum=1,default=1,description=First file to show\\, from 1."`
}

// GlobData is the result of glob_search for programs.
type GlobData struct {
	Files int `json:"files"`
	Shown int `json:"shown"`
	// Next is the offset of the next page, 0 if this is the last.
	Next int `json:"next,omitempty"`
}

// NewGlob makes glob_search.
func NewGlob() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "glob_search", Title: "Find files", Description: globText,
		Kind: tools.KindSearch, Level: tools.Safe,
		Traits: tools.Traits{ReadOnly: true, Concurrent: true},
	}, tools.Handler[GlobParams]{
		Plan: func(_ context.Context, c *tools.Call, p *GlobParams) (*tools.Plan, error) {
			places, where, err := starts(c.Env.Files, p.Path)
			if err != nil {
				return nil, err
			}
			return &tools.Plan{Title: fmt.Sprintf("Find %s in %s", p.Pattern, where), Parts: parts(places), Locations: locations(places)}, nil
		},
		Run: glob,
	})
}

// globRun is one search for names.
type globRun struct {
	w    *editstate.Workspace
	rest string // the pattern below the start

	mu      sync.Mutex
	files   []string
	folders []string // that match, in place of files
	deeper  int      // files that match **/ and the pattern
	noise   []string
	ignored int
}

func glob(ctx context.Context, c *tools.Call, p *GlobParams) (*tools.Result, error) {
	pattern := filepath.ToSlash(p.Pattern)
	if err := checkGlob("pattern", pattern); err != nil {
		return nil, err
	}
	if strings.HasPrefix(pattern, "!") {
		return nil, invalid("a pattern cannot begin with ! to exclude", `Write \! if a name begins with it.`)
	}
	places, where, err := starts(c.Env.Files, p.Path)
	if err != nil {
		return nil, err
	}
	g := &globRun{w: c.Env.Files}
	for _, l := range places {
		if err := g.search(ctx, l, pattern); err != nil {
			return nil, err
		}
	}
	slices.Sort(g.files)
	g.files = slices.Compact(g.files)
	return g.report(p, where)
}

// search finds the files below a place that match.
func (g *globRun) search(ctx context.Context, start editstate.Loc, pattern string) error {
	base, rest, err := splitGlob(g.w, start, pattern)
	if err != nil {
		return err
	}
	loc, err := g.w.Resolve(base)
	if err != nil {
		return err
	}
	g.rest = rest
	deep := "**/" + rest
	sum, err := g.w.Walk(ctx, loc, editstate.WalkOptions{Links: true, Folders: true, Named: namedParts(rest)},
		func() func(*editstate.WalkFile) {
			return func(f *editstate.WalkFile) {
				match := f.Rel == rest || doublestar.MatchUnvalidated(rest, f.Rel)
				if !match && (f.IsFolder || !doublestar.MatchUnvalidated(deep, f.Rel)) {
					return
				}
				g.mu.Lock()
				defer g.mu.Unlock()
				switch {
				case !match:
					g.deeper++
				case f.IsFolder:
					g.folders = append(g.folders, f.Display()+"/")
				default:
					g.files = append(g.files, f.Display())
				}
			}
		})
	g.noise = append(g.noise, sum.Noise...)
	g.ignored += sum.Ignored
	if isMissing(err) && base != start.Path() {
		return nil // the pattern names it: no match, then
	}
	return err
}

func (g *globRun) report(p *GlobParams, where string) (*tools.Result, error) {
	total := len(g.files)
	if total == 0 {
		text := fmt.Sprintf("no files match %s in %s", p.Pattern, where)
		switch {
		case len(g.folders) > 0:
			slices.Sort(g.folders)
			text += "; folders do: " + list(g.folders)
		case g.deeper > 0:
			text += fmt.Sprintf("; %s below match **/%s", plural(g.deeper, "file"), g.rest)
		}
		r := tools.Text(strings.Join(append([]string{text}, skipped(g.noise, g.ignored, 0)...), "\n"))
		r.Data = &GlobData{}
		return r, nil
	}
	if p.Offset > total {
		return nil, invalid(fmt.Sprintf("there are only %s; offset %d is beyond the end", plural(total, "file"), p.Offset), "")
	}
	pg := &page{skip: p.Offset - 1, limit: p.Limit}
	for _, f := range g.files[pg.skip:] {
		if !pg.room(len(f) + 1) {
			break
		}
		pg.out.WriteString(clean([]byte(f)) + "\n")
		pg.shown++
	}
	data := &GlobData{Files: total, Shown: pg.shown}
	r := tools.Text("")
	r.Data = data
	var notes []string
	if last := pg.skip + pg.shown; last < total {
		data.Next = last + 1
		r.Status = tools.Partial
		notes = append(notes, fmt.Sprintf("[%d-%d of %s; go on with offset %d]", p.Offset, last, plural(total, "file"), data.Next))
	}
	r.Text = pg.out.String() + strings.Join(append(notes, skipped(g.noise, g.ignored, total)...), "\n")
	return r, nil
}
