package editstate

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// WalkFile is a file as a walk visits it. It is valid during the visit.
type WalkFile struct {
	Rel      string // below the start, with slashes
	Name     string
	IsLink   bool
	IsFolder bool

	walk *walk
	dir  *openDir
}

// Path is the absolute path.
func (f *WalkFile) Path() string {
	return filepath.Join(f.walk.dir, filepath.FromSlash(f.Rel))
}

// Display shows the path as the model and the person see it.
func (f *WalkFile) Display() string { return f.walk.w.DisplayPath(f.Path()) }

// Protection judges the file by its path.
func (f *WalkFile) Protection() Protection {
	root := f.walk.start.root
	rel, _ := below(root.dir, f.Path())
	return f.walk.w.Protection(Loc{root, rel})
}

// pieceBytes is how much of a file is held at once, unless a line is longer.
const pieceBytes = 4 << 20

// ReadBuffer holds the bytes of the file that a worker reads, one after the
// other. Its zero value is ready.
type ReadBuffer struct{ b []byte }

// Pieces gives the file's bytes to fn: the unsaved buffer if the editor holds
// one, else what is on disk. Nearly every file comes as one piece; a larger
// one comes in pieces that end with a line, the last with last set. UTF-16 is
// turned into UTF-8, and a byte order mark is left out. fn returns false to
// stop. The bytes are valid until fn returns.
func (f *WalkFile) Pieces(buf *ReadBuffer, fn func(piece []byte, last bool) bool) error {
	if b := f.walk.buffer(f); b != nil {
		if b.lost {
			return &Error{Code: TooLarge, Path: f.Display(), Message: f.Display() + " has unsaved changes in the editor that are too large to keep track of"}
		}
		fn([]byte(b.Text), true)
		return nil
	}
	h, err := f.dir.open(f.Name)
	if err != nil {
		return openError(f.Display(), err)
	}
	defer h.close()
	if err := buf.pieces(h, fn); err != nil {
		return &Error{Code: IO, Path: f.Display(), Message: fmt.Sprintf("reading %s: %s", f.Display(), errText(err)), Err: err}
	}
	return nil
}

func (buf *ReadBuffer) pieces(h rawFile, fn func(piece []byte, last bool) bool) error {
	if buf.b == nil {
		buf.b = make([]byte, 256<<10)
	}
	held, first, utf16 := 0, true, false
	for {
		n, err := buf.fill(h, held, utf16)
		if err != nil {
			return err
		}
		end := n < len(buf.b)
		b := buf.b[:n]
		if first && (bytes.HasPrefix(b, bomLE) || bytes.HasPrefix(b, bomBE)) && !utf16 && !end {
			utf16, held = true, n
			continue // it is decoded as a whole
		}
		cut := n
		if !end && !utf16 {
			if cut = bytes.LastIndexByte(b, '\n') + 1; cut == 0 {
				cut = n // one line of MaxFileBytes
			}
		}
		piece := b[:cut]
		if first {
			piece = plain(piece)
		}
		if !fn(piece, end || utf16) || end || utf16 {
			return nil
		}
		first = false
		held = copy(buf.b, b[cut:])
	}
}

// fill reads until the file ends or, at pieceBytes or more, holds a whole
// line. It gives the length of what is held.
func (buf *ReadBuffer) fill(h rawFile, held int, whole bool) (int, error) {
	for {
		if held == len(buf.b) {
			enough := held >= pieceBytes && !whole && bytes.IndexByte(buf.b, '\n') >= 0
			if enough || held >= MaxFileBytes {
				return held, nil
			}
			buf.b = append(slices.Clip(buf.b), make([]byte, min(len(buf.b), MaxFileBytes-held))...)
		}
		n, err := h.read(buf.b[held:])
		if err != nil || n == 0 {
			return held, err
		}
		held += n
	}
}

// plain turns the beginning of a file into UTF-8 without a byte order mark.
func plain(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, bomUTF8):
		return b[len(bomUTF8):]
	case bytes.HasPrefix(b, bomLE), bytes.HasPrefix(b, bomBE):
		if d := Decode(b); d.Encoding != Binary {
			return []byte(d.Text)
		}
	}
	return b
}

func (k *walk) buffer(f *WalkFile) *Buffer {
	if len(k.buffers) == 0 {
		return nil
	}
	return k.buffers[f.Path()]
}
