package editstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"unicode/utf8"
)

// Approval is what a person allowed of a Change. The zero value allows it as
// proposed.
type Approval struct {
	// Hunks, if not nil, allows the hunks that it names with true and no
	// other.
	Hunks map[string]bool
	// Text, if not nil, is the whole new text in place of the proposed one.
	Text *string
}

// Applied says what was written.
type Applied struct {
	Loc    Loc
	Path   string // as displayed
	Op     Op
	Before Hash // zero for a new file
	After  Hash
	// Diff is what was really changed, as a unified diff without the secrets
	// that the model is not shown.
	Diff string
	// OnDisk is false when the text went into an unsaved editor buffer.
	OnDisk bool
	// Refused are the hunks that were not allowed, without secrets too.
	Refused []Hunk
	// Edited is set when the person changed the text.
	Edited bool
	// Notes are facts that the model should know.
	Notes []string
}

// ErrNothingAllowed is returned by Apply when no hunk was allowed or the text
// came back unchanged. Nothing was written.
var ErrNothingAllowed = errors.New("no part of the change was allowed")

// CheckApproval reports whether a fits c, without writing anything: unknown
// hunk ids and two answers at once are errors.
func (c *Change) CheckApproval(a Approval) error {
	if a.Hunks != nil && a.Text != nil {
		return &Error{Code: Refused, Path: c.Path, Message: "the answer has both hunks and an edited text for " + c.Path}
	}
	for id := range a.Hunks {
		known := false
		for _, h := range c.Hunks {
			known = known || h.ID == id
		}
		if !known {
			return &Error{Code: Refused, Path: c.Path, Message: fmt.Sprintf("the answer names a hunk %q that %s does not have", id, c.Path)}
		}
	}
	if a.Text != nil && !utf8.ValidString(*a.Text) {
		return &Error{Code: BadEncoding, Path: c.Path, Message: "the edited text is not valid UTF-8"}
	}
	return nil
}

// Apply writes c as far as a allows it. It looks at the file again first, and
// refuses with Stale if anything is not as it was when c was made: the bytes,
// the version of an unsaved buffer, or the place that the path leads to.
func (w *Workspace) Apply(ctx context.Context, c *Change, a Approval) (*Applied, error) {
	if err := c.CheckApproval(a); err != nil {
		return nil, err
	}
	text, err := c.allowed(a)
	if err != nil {
		return nil, err
	}
	res := &Applied{Loc: c.loc, Path: c.Path, Op: c.Op, Edited: a.Text != nil && text != c.after}
	if a.Hunks != nil {
		shown, _ := w.shownHunks(c.before(), c.after, c.Hunks)
		for _, h := range shown {
			if !a.Hunks[h.ID] {
				res.Refused = append(res.Refused, h)
			}
		}
	}
	if c.base != nil {
		res.Before = c.base.Hash
	}
	unlock := w.host.locks.lock(c.loc.Path())
	defer unlock()
	if err := w.recheck(ctx, c); err != nil {
		return nil, err
	}
	after, err := w.write(ctx, c, text, res)
	if err != nil {
		return nil, err
	}
	w.cfg.Undo.record(c.base, after)
	hunks := c.Hunks
	if text != c.after {
		hunks = hunksOf(c.before(), text)
	}
	w.ledger.wrote(w, after, hunks)
	res.After = after.Hash
	hunks, before := w.shownHunks(c.before(), text, hunks)
	res.Diff = unified(c.Path, before, hunks)
	return res, nil
}

// allowed is the text to write.
func (c *Change) allowed(a Approval) (string, error) {
	text := c.after
	switch {
	case a.Hunks != nil:
		text = applyHunks(c.before(), c.after, c.Hunks, func(id string) bool { return a.Hunks[id] })
	case a.Text != nil && c.base == nil:
		text = *a.Text
	case a.Text != nil:
		// Lines that the person left alone keep the bytes that were proposed,
		// and through them those of the file.
		if edited := withoutMark(c.after, *a.Text); shown(c.after) != edited {
			if err := c.base.Doc.checkNew(c.Path, foreign(c.after, edited)); err != nil {
				return "", err
			}
			text = reconcile(c.after, edited, true, dominantEOL(c.before()))
		}
	}
	if text == c.before() && (c.base != nil || a.Hunks != nil) {
		return "", ErrNothingAllowed
	}
	return text, nil
}

// foreign is the part of edited that is not in base: what the person typed.
func foreign(base, edited string) string {
	old, now := splitLines(base, true), splitLines(edited, true)
	var out []byte
	for _, d := range diffLines(keys(old), keys(now)) {
		for _, l := range now[d.ReplStart:d.ReplEnd] {
			out = append(out, l.text...)
		}
	}
	return string(out)
}

// recheck compares the world with what c was made from. The path's lock is
// held.
func (w *Workspace) recheck(ctx context.Context, c *Change) error {
	stale := func(what string) error {
		return &Error{Code: Stale, Path: c.Path, Message: fmt.Sprintf("%s %s; nothing was written", c.Path, what),
			Hint: "Read it again with read_file and repeat the change if it is still needed."}
	}
	loc, err := w.Resolve(c.asked)
	if err != nil || loc.Path() != c.loc.Path() {
		return stale("leads to another place now than when the change was proposed")
	}
	if c.base == nil {
		if _, there := exists(loc); there || w.host.buffers.get(loc.Path()) != nil {
			return stale("was created by somebody else after the change was proposed")
		}
		return nil
	}
	now, err := w.look(ctx, loc)
	switch {
	case isCode(err, NotFound):
		return stale("was removed after the change was proposed")
	case err != nil:
		return err
	case !bytes.Equal(now.Bytes, c.base.Bytes):
		return stale("was changed by somebody else after the change was proposed")
	case now.Source != c.base.Source:
		return stale("was opened or saved in the editor after the change was proposed")
	case now.Source == InBuffer && now.Version != c.base.Version:
		return stale("was changed in the editor after the change was proposed")
	case now.Source == Disk && now.mode&0o222 == 0:
		return &Error{Code: Refused, Path: c.Path, Message: c.Path + " has been made read-only; nothing was written"}
	}
	// It may have been made private meanwhile.
	c.base.mode, c.base.stamp = now.mode, now.stamp
	return nil
}

// write puts text where the file's content lives and gives the new content.
func (w *Workspace) write(ctx context.Context, c *Change, text string, res *Applied) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := &File{Loc: c.loc, Display: c.Path, Doc: c.doc(), Source: Disk}
	f.Doc.Text = text
	kept := w.cfg.Undo.keeping(c.base)
	if c.base != nil && c.base.Source == InBuffer {
		if err := kept(); err != nil {
			return nil, writeError(c.Path, c.base == nil, err)
		}
		if err := w.writeBuffer(ctx, c, text, f); err != nil {
			return f, err
		}
		res.OnDisk = w.cfg.ReadEditor != nil && f.saved()
		return f, nil
	}
	b, err := f.Doc.Encode(text)
	if err != nil {
		return nil, err
	}
	hashed := make(chan Hash, 1)
	go func() { hashed <- HashOf(b) }() // while it is written
	mode := fs.FileMode(0)
	if c.base != nil {
		mode = c.base.mode
		if n := c.base.stamp.links; n > 1 {
			res.Notes = append(res.Notes, fmt.Sprintf("%s had %d hard links; the others keep the old content.", c.Path, n))
		}
	}
	fi, notes, made, err := w.host.put(writing{loc: c.loc, b: b, old: c.base, mode: mode, kept: kept})
	if err != nil {
		return nil, writeError(c.Path, c.base == nil, err)
	}
	res.Notes = append(res.Notes, notes...)
	res.OnDisk, f.made = true, made
	f.Bytes, f.Hash, f.stamp, f.mode = b, <-hashed, stampOf(fi), fi.Mode()
	return f, nil
}

func (w *Workspace) writeBuffer(ctx context.Context, c *Change, text string, f *File) error {
	if w.cfg.ApplyBuffer == nil {
		return errNoBuffers(c.Path)
	}
	r, err := w.cfg.ApplyBuffer(ctx, BufferEdit{URI: c.bufferURI(w), BaseVersion: c.base.Version, Text: text})
	if err == nil && !r.Applied {
		err = &Error{Code: Stale, Path: c.Path, Message: "the editor did not take the change of " + c.Path + "; its text has changed meanwhile",
			Hint: "Read it again with read_file and repeat the change."}
	}
	if err != nil {
		return err
	}
	if r.Version <= c.base.Version { // a client that gives none
		r.Version = c.base.Version + 1
	}
	f.Source, f.Version = InBuffer, r.Version
	f.Bytes = []byte(text)
	f.Hash = HashOf(f.Bytes)
	w.host.buffers.applied(c.loc.Path(), r.Version, text)
	return nil
}

func errNoBuffers(display string) error {
	return &Error{Code: Refused, Path: display, Message: display + " has unsaved changes in the editor, and this editor cannot take edits",
		Hint: "Ask the user to save the file, then read it again."}
}

// bufferURI is the editor's own name for the buffer, which may lead through a
// link.
func (c *Change) bufferURI(w *Workspace) string {
	if b := w.host.buffers.get(c.loc.Path()); b != nil {
		return b.URI
	}
	return c.URI
}

func writeError(display string, create bool, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	state := "the file is as it was before"
	if create {
		state = "no file was made"
	}
	out := &Error{Code: IO, Path: display, Message: fmt.Sprintf("writing %s failed: %s; %s", display, errText(err), state), Err: err}
	switch {
	case errors.Is(err, fs.ErrExist):
		out.Code, out.Message = Stale, display+" was created by somebody else meanwhile; nothing was written"
		out.Hint = "Read it with read_file first."
	case errors.Is(err, fs.ErrPermission):
		out.Code, out.Hint = Refused, "The folder or file is not writable for agentd. Ask the user."
	case isNotDir(err):
		out.Code, out.Hint = NotFound, fmt.Sprintf("A part of %s is a file, not a folder.", filepath.ToSlash(filepath.Dir(display)))
	}
	return out
}
