package editstate

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNotInEditor says that the editor has no text of a file.
var ErrNotInEditor = errors.New("the editor does not have the file")

// maxAsked bounds the files about which the editor is asked: it answers with the
// whole text.
const maxAsked = 4 << 20

// askEditor asks an editor that does not tell of its unsaved buffers by itself
// what it has of a file, before that is looked at. A text that is not that of
// the disk is an unsaved buffer, as if the editor had said so. Where the editor
// cannot be asked nothing is read or written: its text might be lost.
func (w *Workspace) askEditor(ctx context.Context, loc Loc, display string) error {
	if w.cfg.ReadEditor == nil || loc.root.fixed {
		return nil
	}
	disk := &File{Loc: loc, Display: display}
	err := disk.readDisk()
	missing := isCode(err, NotFound)
	if err != nil && !missing || len(disk.Bytes) > maxAsked {
		return nil // what follows says what is wrong with it
	}
	disk.Doc = Decode(disk.Bytes)
	if disk.Doc.Encoding == Binary || disk.Doc.Encoding == UTF32 {
		return nil
	}
	text, err := w.cfg.ReadEditor(ctx, loc.Path())
	there := err == nil
	if err != nil && !errors.Is(err, ErrNotInEditor) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Error{Code: Refused, Path: display, Message: fmt.Sprintf("the editor could not be asked whether %s has unsaved changes: %v", display, err),
			Hint: "Nothing was done. Try it again, or ask the user to save the file.", Err: err}
	}
	known := w.host.buffers.get(loc.Path())
	// What the editor does not give any more cannot be compared with what it gave
	// before, which would go over what was typed since. So the disk holds.
	if !there || missing && text == "" || !missing && sameText(disk.Doc.Text, text) {
		if known != nil {
			return w.host.ClearBuffer(known.URI)
		}
		return nil
	}
	if known != nil && !known.lost && known.Text == text {
		return nil
	}
	b := Buffer{URI: loc.URI(), Version: 1, Text: text}
	if known != nil {
		b.URI, b.Version = known.URI, known.Version+1
	}
	return w.host.SetBuffer(b)
}

// sameText compares the text of a file with that of an editor, which may have
// line endings of its own and no byte order mark.
func sameText(disk, editor string) bool {
	plain := func(s string) string {
		return strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
	}
	return disk == editor || plain(disk) == plain(editor)
}

// saved reports whether the file on disk has a text: the editor may have saved
// what it was given.
func (f *File) saved() bool {
	disk := &File{Loc: f.Loc, Display: f.Display}
	return disk.readDisk() == nil && sameText(Decode(disk.Bytes).Text, f.Doc.Text)
}
