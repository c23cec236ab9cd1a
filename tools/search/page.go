package search

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

// pageBytes bounds the lines of a result, so that it stays below the cap of
// results with what is said around it.
const pageBytes = 46_000

// page is the part of the matches that one result shows.
type page struct {
	out   bytes.Buffer
	skip  int // matches before it
	limit int // matches in it
	shown int
	full  bool // the bytes ran out
}

func hasNUL(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }

// report writes the result.
func (g *grepRun) report(ctx context.Context, where string) (*tools.Result, error) {
	data := GrepData{Files: len(g.hits), Binary: g.binaries}
	for _, h := range g.hits {
		data.Matches += h.lines
	}
	total, what := data.Matches, "matching line"
	if g.p.Output != outputContent {
		total, what = data.Files, "file"
	}
	if g.p.Output == outputFiles {
		data.Matches = 0
	}
	if total > 0 && g.p.Offset > total {
		return nil, invalid(fmt.Sprintf("there are only %s; offset %d is beyond the end", plural(total, what), g.p.Offset), "")
	}
	pg := &page{skip: g.p.Offset - 1, limit: g.p.Limit}
	if g.p.Output == outputContent {
		if err := g.lines(ctx, pg); err != nil {
			return nil, err
		}
	} else {
		g.files(pg)
	}
	data.Shown = pg.shown
	r := tools.Text("")
	r.Data = &data
	var notes []string
	switch {
	case total == 0:
		notes = append(notes, g.nothing(where))
	case pg.skip+pg.shown < total:
		data.Next = g.p.Offset + pg.shown
		r.Status = tools.Partial
		notes = append(notes, fmt.Sprintf("[%d-%d of %s%s; go on with offset %d]", g.p.Offset, data.Next-1, plural(total, what), g.inFiles(data), data.Next))
	case total > 1 || pg.skip > 0:
		notes = append(notes, fmt.Sprintf("[%s%s]", plural(total, what), g.inFiles(data)))
	}
	r.Text = pg.out.String() + strings.Join(append(notes, g.notes(total)...), "\n")
	return r, nil
}

func (g *grepRun) inFiles(d GrepData) string {
	switch {
	case g.p.Output == outputCount:
		return ", " + plural(d.Matches, "matching line")
	case g.p.Output == outputContent && d.Files > 1:
		return fmt.Sprintf(" in %d files", d.Files)
	}
	return ""
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// nothing says that there are no matches, and why that may be.
func (g *grepRun) nothing(where string) string {
	s := fmt.Sprintf("no matches in %s", where)
	if g.searched == 0 && (g.p.Include != "" || g.p.Exclude != "") {
		return s + ": no file there passes include and exclude, so nothing was searched"
	}
	if g.searched != 1 || g.p.Path == "" {
		s += fmt.Sprintf(" (%s searched)", plural(g.searched, "file"))
	}
	if !g.p.Literal && strings.Contains(g.p.Pattern, `\|`) {
		s += `; \| stands for the character |, alternatives are written a|b`
	}
	return s
}

// notes says what was not searched.
func (g *grepRun) notes(total int) []string {
	var out []string
	if len(g.binary) > 0 {
		slices.Sort(g.binary)
		out = append(out, fmt.Sprintf("[binary, with matches that are not shown: %s]", list(g.binary)))
	}
	if n := g.binaries - len(g.binary); n > 0 {
		out = append(out, fmt.Sprintf("[%s not searched]", plural(n, "binary file")))
	}
	if len(g.unreadable) > 0 {
		slices.Sort(g.unreadable)
		out = append(out, fmt.Sprintf("[could not be read: %s]", list(g.unreadable)))
	}
	return append(out, skipped(g.noise, g.ignored, total)...)
}

// skipped names the folders that were left out. What git ignores is worth a
// word only when nothing was found.
func skipped(noise []string, ignored, total int) []string {
	var out []string
	if len(noise) > 0 {
		slices.Sort(noise)
		out = append(out, fmt.Sprintf("[not searched: %s; name a folder as path to search it]", list(noise)))
	}
	if ignored > 0 && total == 0 {
		out = append(out, "[what git ignores was left out; name a folder or file as path to search it]")
	}
	return out
}

// list joins names, a few of them.
func list(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// files writes the page of a list of files or counts.
func (g *grepRun) files(pg *page) {
	for _, h := range g.hits[min(pg.skip, len(g.hits)):] {
		line := h.shown
		if g.p.Output == outputCount {
			line += ":" + strconv.Itoa(h.lines)
		}
		if !pg.room(len(line)) {
			return
		}
		pg.out.WriteString(clean([]byte(line)) + "\n")
		pg.shown++
	}
}

// room reports whether one more match of n bytes belongs to the page.
func (pg *page) room(n int) bool {
	if pg.shown == pg.limit {
		return false
	}
	pg.full = pg.full || pg.shown > 0 && pg.out.Len()+n > pageBytes
	return !pg.full
}

// lines writes the page of matching lines. Only the files of the page are
// looked at again: until now their matches were only counted.
func (g *grepRun) lines(ctx context.Context, pg *page) error {
	skip := pg.skip
	for _, h := range g.hits {
		if skip >= h.lines {
			skip -= h.lines
			continue
		}
		if pg.shown == pg.limit || pg.full {
			return nil
		}
		loc, err := g.w.Resolve(h.path)
		if err != nil {
			continue // gone meanwhile
		}
		r := &renderer{pg: pg, name: clean([]byte(h.shown)), skip: skip, context: g.p.Context, scan: scanner{p: g.pattern, hide: g.hide}}
		_, err = g.w.Walk(ctx, loc, editstate.WalkOptions{}, func() func(*editstate.WalkFile) { return r.visit })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue
		}
		skip = 0
	}
	return nil
}
