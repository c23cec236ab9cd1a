// Package files is the tools that read and change files.
package files

import (
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/tools"
)

//go:embed read.md
var readText string

// What one read_file gives at most.
const (
	readLines    = 2000
	readBytes    = 48_000 // below tools.DefaultCap with the header
	readLine     = 8_000  // a longer line is cut, and does not count as seen
	maxImageFile = 5 << 20
)

// ReadParams are the arguments of read_file.
type ReadParams struct {
	Path   string `json:"path" jsonschema:"minLength=1,description=File to read: relative to the workspace or absolute inside it."`
	Offset int    `json:"offset,omitempty" jsonschema:"minimum=1,default=1,description=First line to read\\, from 1."`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=2000,default=2000,description=How many lines to read at most."`
}

// NewRead makes read_file.
func NewRead() *tools.Tool {
	return tools.New(tools.Tool{
		Name: "read_file", Title: "Read file", Description: readText,
		Kind: tools.KindRead, Level: tools.Safe,
		Traits: tools.Traits{ReadOnly: true, Concurrent: true},
	}, tools.Handler[ReadParams]{Plan: planRead, Run: read})
}

func planRead(_ context.Context, c *tools.Call, p *ReadParams) (*tools.Plan, error) {
	loc, err := c.Env.Files.Resolve(p.Path)
	if err != nil {
		return nil, err
	}
	display := c.Env.Files.Display(loc)
	plan := &tools.Plan{Title: "Read " + display, Parts: []tools.Part{{Path: loc.Path()}}, Locations: []tools.Location{{Path: loc.Path(), Line: p.Offset}}}
	if p.Offset > 1 {
		plan.Title += fmt.Sprintf(" from line %d", p.Offset)
	}
	if prot := c.Env.Files.Protection(loc); prot == editstate.Credentials {
		plan.Level = tools.Dangerous
		plan.Reason = fmt.Sprintf("%s is %s; the model would see them", display, prot)
		plan.Grants = []tools.Grant{{ID: "read:file:" + loc.Path(), Label: "reading " + display}}
	}
	return plan, nil
}

func read(ctx context.Context, c *tools.Call, p *ReadParams) (*tools.Result, error) {
	f, err := c.Env.Files.Read(ctx, p.Path)
	if isFolder(err) {
		return listText(ctx, c, p.Path, p.Offset)
	}
	if err != nil {
		return nil, err
	}
	if f.Loc.Path() != c.Plan.Locations[0].Path {
		return nil, &tools.Error{Code: tools.CodeConflict, Message: p.Path + " leads to another place now than when this call was judged; it was not read", Hint: "Call it again."}
	}
	if mime := http.DetectContentType(f.Bytes); strings.HasPrefix(mime, "image/") && f.Doc.Encoding != editstate.UTF8 {
		return image(f, mime)
	}
	text, err := f.Text()
	if err != nil {
		return nil, err
	}
	// A page may show a part of a secret by which it is not known any more.
	return page(c, f, c.Env.Redactor.Text(text), p.Offset, p.Limit)
}

// page shows lines of a text, numbered, and notes them as seen.
func page(c *tools.Call, f *editstate.File, text string, offset, limit int) (*tools.Result, error) {
	total := editstate.LineCount(text)
	if total == 0 {
		c.Env.Files.SeeAll(f)
		return tools.Text(fmt.Sprintf("[%s is empty]", f.Display)), nil
	}
	if offset > total {
		return nil, &tools.Error{Code: tools.CodeInvalidArguments, Message: fmt.Sprintf("%s has only %d lines; offset %d is beyond its end", f.Display, total, offset)}
	}
	var body strings.Builder
	rest := text
	for n := 1; n < offset; n++ {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	line, from, cut := offset, offset, 0
	for ; line <= total && line < offset+limit && body.Len() < readBytes; line++ {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		l = strings.TrimSuffix(l, "\r")
		whole := len(l) <= readLine
		if room := readBytes - body.Len(); len(l) > room && line > offset && whole {
			break
		}
		body.WriteString(strconv.Itoa(line))
		body.WriteByte('\t')
		if whole {
			body.WriteString(l)
		} else {
			c.Env.Files.See(f, from, line-1)
			from = line + 1
			cut++
			body.WriteString(start(l, readLine/4))
			fmt.Fprintf(&body, " [... this line has %d bytes; grep_search shows the part around a match ...]", len(l))
		}
		body.WriteByte('\n')
	}
	c.Env.Files.See(f, from, line-1)
	r := tools.Text(header(f, offset, line-1, total) + body.String())
	r.Data = map[string]any{"path": f.Loc.Path(), "firstLine": offset, "lastLine": line - 1, "totalLines": total, "sha256": f.Hash.String(), "source": f.Source}
	if line <= total {
		r.Status = tools.Partial
		r.Text += fmt.Sprintf("[%d more lines; go on with offset %d]\n", total-line+1, line)
	} else if cut > 0 {
		r.Status = tools.Partial
	}
	return r, nil
}

func header(f *editstate.File, first, last, total int) string {
	h := fmt.Sprintf("[%s, lines %d-%d of %d", f.Display, first, last, total)
	switch f.Doc.Encoding {
	case editstate.Legacy:
		h += ", neither UTF-8 nor UTF-16: other than ASCII shows as \uFFFD and is kept as it is"
	case editstate.UTF16LE, editstate.UTF16BE:
		h += ", " + string(f.Doc.Encoding)
	}
	if f.Source == editstate.InBuffer {
		h += ", unsaved text from the editor"
	}
	return h + "]\n"
}

// start gives at most n bytes of s, without cutting a character.
func start(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func image(f *editstate.File, mime string) (*tools.Result, error) {
	if len(f.Bytes) > maxImageFile {
		return nil, &tools.Error{Code: tools.CodeExecution, Message: fmt.Sprintf("%s is an image of %d KiB; images up to %d KiB can be read", f.Display, len(f.Bytes)>>10, maxImageFile>>10)}
	}
	r := tools.Text(fmt.Sprintf("[%s is an image (%s, %d bytes)]", f.Display, mime, len(f.Bytes)))
	r.Image = "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(f.Bytes)
	return r, nil
}
