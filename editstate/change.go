package editstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Op is what a Change does to a file.
type Op string

// The operations.
const (
	Create Op = "create"
	Modify Op = "modify"
)

// MaxShownText bounds OldText and NewText of a Change. Larger files are shown
// by their hunks alone.
const MaxShownText = 1 << 20

// Base says what a change was made from.
type Base struct {
	Source  Source `json:"source"`
	Version *int   `json:"version,omitempty"` // of an unsaved buffer
	SHA256  string `json:"sha256,omitempty"`  // of the bytes; "" for a new file
}

// Change is a proposed change of one file. It is made by PlanEdit and
// PlanWrite, shown to a person, and written by Apply: what it shows is what is
// written, byte for byte.
type Change struct {
	URI  string `json:"uri"`
	Path string `json:"path"` // as displayed
	Op   Op     `json:"op"`
	Base Base   `json:"base"`
	// OldText and NewText are left out when they are too long, and OldText
	// for a new file.
	OldText *string `json:"oldText,omitempty"`
	NewText *string `json:"newText,omitempty"`
	Hunks   []Hunk  `json:"hunks"`

	asked string // the path as it was given
	loc   Loc
	base  *File // nil for a new file
	after string
	line  int // of the first change
}

// Loc is the place of the file.
func (c *Change) Loc() Loc { return c.loc }

// Line is where the first change is, from 1.
func (c *Change) Line() int { return max(c.line, 1) }

// Diff shows the change as a unified diff.
func (c *Change) Diff() string { return unified(c.Path, c.before(), c.Hunks) }

// Sizes are the bytes of the text before and after.
func (c *Change) Sizes() (before, after int) { return len(c.before()), len(c.after) }

func (c *Change) before() string {
	if c.base == nil {
		return ""
	}
	return c.base.Doc.Text
}

func (c *Change) doc() Doc {
	if c.base == nil {
		return Doc{Encoding: UTF8}
	}
	return c.base.Doc
}

// PlanEdit makes the change that edits, one after the other, make in a file.
// The model must have seen every line that an edit matches, in exactly the
// content that the file has now. Nothing is written.
func (w *Workspace) PlanEdit(ctx context.Context, path string, edits []Edit) (*Change, error) {
	f, err := w.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	text, err := f.Text()
	if err != nil {
		return nil, err
	}
	seen, err := w.ledger.check(f)
	if err != nil {
		return nil, err
	}
	line := 0
	for i, e := range edits {
		if err := f.Doc.checkNew(f.Display, e.New); err != nil {
			return nil, numbered(err, i, len(edits))
		}
		r, err := w.apply(ctx, e, f.Display, text, f.Doc.Encoding)
		if err != nil {
			return nil, numbered(err, i, len(edits))
		}
		r.text = withoutMark(f.Doc.Text, r.text)
		for _, s := range r.spans {
			if !seen.has(s) {
				return nil, numbered(&Error{Code: NotRead, Path: f.Display,
					Message: fmt.Sprintf("lines %d to %d of %s have not been read (read so far: %s)", s.lo, s.hi, f.Display, seen),
					Hint:    fmt.Sprintf("Read them with read_file (offset %d) first.", s.lo)}, i, len(edits))
			}
		}
		if len(edits) > 1 {
			seen = seen.through(hunksOf(text, r.text))
		}
		if line == 0 {
			line = r.at
		}
		text = r.text
	}
	if text == f.Doc.Text {
		return nil, &Error{Code: NoChange, Path: f.Display, Message: "the edits together change nothing", Hint: "Nothing was written."}
	}
	return w.change(path, f.Loc, f, text, line)
}

// numbered says which of several edits failed.
func numbered(err error, i, n int) error {
	var e *Error
	if n > 1 && errors.As(err, &e) {
		e.Message = fmt.Sprintf("edit %d of %d: %s (no edit was made)", i+1, n, e.Message)
	}
	return err
}

// PlanWrite makes the change that gives a file a whole new content. An
// existing file must have been read whole, as it is now; it keeps its encoding
// and byte order mark, and its line endings by the rule of reconcile. A new
// file is written as given.
func (w *Workspace) PlanWrite(ctx context.Context, path, content string) (*Change, error) {
	f, err := w.Read(ctx, path)
	if isCode(err, NotFound) {
		loc, err := w.Resolve(path)
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(path, "/") && loc.rel != "." {
			if err := (Doc{Encoding: UTF8}).checkNew(w.Display(loc), content); err != nil {
				return nil, err
			}
			return w.change(path, loc, nil, content, 1)
		}
		return nil, &Error{Code: NotRegular, Path: path, Message: path + " is the name of a folder", Hint: "Give the path of a file."}
	}
	if err != nil {
		return nil, err
	}
	old, err := f.Text()
	if err != nil {
		return nil, err
	}
	seen, err := w.ledger.check(f)
	if err != nil {
		return nil, err
	}
	if n := LineCount(old); !seen.has(span{1, n}) {
		return nil, &Error{Code: NotRead, Path: f.Display,
			Message: fmt.Sprintf("%s has %d lines, of which only %s have been read; writing it whole would lose the rest", f.Display, n, seen),
			Hint:    "Read the rest with read_file, or change parts of it with edit_file."}
	}
	content = withoutMark("", content)
	if pastedWhole(old, content) {
		return nil, numbersPasted(f.Display, "content")
	}
	if f.Doc.Encoding == Legacy {
		if err := looksAlike(f.Display, old, content); err != nil {
			return nil, err
		}
	}
	text := reconcile(old, content, true, dominantEOL(old))
	if text == old {
		return nil, &Error{Code: NoChange, Path: f.Display, Message: f.Display + " has this content already", Hint: "Nothing was written."}
	}
	if err := f.Doc.checkNew(f.Display, foreign(old, content)); err != nil {
		return nil, err
	}
	return w.change(path, f.Loc, f, text, 0)
}

func isCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

func (w *Workspace) change(asked string, loc Loc, base *File, after string, line int) (*Change, error) {
	c := &Change{URI: loc.URI(), Path: w.Display(loc), Op: Create, Base: Base{Source: Disk}, asked: asked, loc: loc, base: base, after: after, line: line}
	if loc.root.fixed {
		return nil, &Error{Code: OutsideRoots, Path: c.Path, Message: c.Path + " can be read but not written"}
	}
	if base != nil {
		if base.Source == Disk && (base.mode&0o222 == 0 || !writable(loc)) {
			return nil, &Error{Code: Refused, Path: c.Path, Message: c.Path + " is read-only", Hint: "Ask the user to make it writable if it should be changed."}
		}
		if base.Source == InBuffer && w.cfg.ApplyBuffer == nil {
			return nil, errNoBuffers(c.Path)
		}
		c.Op = Modify
		c.Base = Base{Source: base.Source, SHA256: base.Hash.String()}
		if base.Source == InBuffer {
			v := base.Version
			c.Base.Version = &v
		}
		if len(base.Doc.Text) <= MaxShownText {
			t := shown(base.Doc.Text)
			c.OldText = &t
		}
	}
	b, err := c.doc().Encode(after)
	if err != nil {
		return nil, err
	}
	if max(len(after), len(b)) > MaxFileBytes {
		return nil, &Error{Code: TooLarge, Path: c.Path, Message: fmt.Sprintf("the new content of %s has more than %d MiB", c.Path, MaxFileBytes>>20)}
	}
	if len(after) <= MaxShownText {
		t := shown(after)
		c.NewText = &t
	}
	c.Hunks = hunksOf(c.before(), after)
	if err := w.uncovers(c.Path, c.before(), after, c.Hunks); err != nil {
		return nil, err
	}
	if c.line == 0 && len(c.Hunks) > 0 {
		c.line = c.Hunks[0].NewStart
	}
	return c, nil
}

// writable reports whether this user may write the file at loc. A folder that
// takes new files would let it be replaced all the same, but whoever forbade it
// meant the content.
func writable(loc Loc) bool { return !errors.Is(mayWrite(loc), fs.ErrPermission) }

// exists reports whether anything stands at loc.
func exists(loc Loc) (fs.FileInfo, bool) {
	fi, err := loc.root.os.Lstat(loc.rel)
	return fi, err == nil
}
