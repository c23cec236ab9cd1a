package editstate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// MaxFileBytes bounds a file that can be read or edited.
const MaxFileBytes = 64 << 20

// Hash is the SHA-256 of a file's bytes.
type Hash [sha256.Size]byte

// String gives the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// HashOf hashes bytes.
func HashOf(b []byte) Hash { return sha256.Sum256(b) }

// Source says where a content came from.
type Source string

// The sources of a content.
const (
	Disk     Source = "disk"
	InBuffer Source = "buffer" // an unsaved editor buffer
)

// File is the content of a file at one moment.
type File struct {
	Loc     Loc
	Display string
	Bytes   []byte
	Hash    Hash
	Doc     Doc
	Source  Source
	Version int // of the buffer
	stamp   stamp
	mode    fs.FileMode
	made    string // the uppermost folder that was made for it, below its root
}

// textHash is the hash of the content without its encoding.
func (f *File) textHash() Hash {
	if f.Doc.Encoding == UTF8 && !f.Doc.BOM || f.Doc.Encoding == Binary || f.Doc.Encoding == UTF32 {
		return f.Hash
	}
	return HashOf([]byte(f.Doc.Text))
}

// Text is the file's content; an error if it is not text that can be kept.
func (f *File) Text() (string, error) {
	switch f.Doc.Encoding {
	case Binary:
		if name := wideText(f.Bytes); name != "" {
			return "", &Error{Code: BadEncoding, Path: f.Display,
				Message: fmt.Sprintf("%s is a binary file, or %s", f.Display, name),
				Hint:    "Ask the user to convert it to UTF-8, e.g. with iconv."}
		}
		return "", &Error{Code: BadEncoding, Path: f.Display,
			Message: fmt.Sprintf("%s is a binary file (%d bytes)", f.Display, len(f.Bytes)),
			Hint:    "It cannot be read or edited as text."}
	case UTF32:
		return "", &Error{Code: BadEncoding, Path: f.Display,
			Message: fmt.Sprintf("%s is encoded as UTF-32, which is not supported", f.Display),
			Hint:    "Ask the user to convert it to UTF-8, e.g. with iconv."}
	}
	return f.Doc.Text, nil
}

// Read reads the file that path names: the unsaved buffer if the editor holds
// one, else the file on disk. It does not count as seen by the model until
// Ledger.See is called. A missing file, a folder and anything that is no
// regular file are errors; nothing blocks on a FIFO or a device.
func (w *Workspace) Read(ctx context.Context, path string) (*File, error) {
	loc, err := w.Resolve(path)
	if err != nil {
		return nil, err
	}
	return w.ReadLoc(ctx, loc)
}

// ReadLoc is Read for a resolved place.
func (w *Workspace) ReadLoc(ctx context.Context, loc Loc) (*File, error) {
	if err := w.askEditor(ctx, loc, w.Display(loc)); err != nil {
		return nil, err
	}
	return w.readKnown(ctx, loc)
}

// readKnown is ReadLoc by what is known of the editor already.
func (w *Workspace) readKnown(ctx context.Context, loc Loc) (*File, error) {
	f, err := w.lookKnown(ctx, loc)
	if err != nil {
		return nil, err
	}
	f.Hash = HashOf(f.Bytes)
	if f.Source == Disk {
		f.Doc = Decode(f.Bytes)
	}
	return f, nil
}

// look reads the bytes and no more.
func (w *Workspace) look(ctx context.Context, loc Loc) (*File, error) {
	if err := w.askEditor(ctx, loc, w.Display(loc)); err != nil {
		return nil, err
	}
	return w.lookKnown(ctx, loc)
}

// lookKnown is look by what is known of the editor already.
func (w *Workspace) lookKnown(ctx context.Context, loc Loc) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := &File{Loc: loc, Display: w.Display(loc), Source: Disk}
	if b := w.host.buffers.get(loc.Path()); b != nil {
		if b.lost {
			return nil, &Error{Code: TooLarge, Path: f.Display,
				Message: f.Display + " has unsaved changes in the editor that are too large to keep track of",
				Hint:    "Ask the user to save the file."}
		}
		f.Source, f.Version = InBuffer, b.Version
		f.Bytes = []byte(b.Text)
		f.Doc = Doc{Text: b.Text, Encoding: UTF8}
		return f, nil
	}
	return f, f.readDisk()
}

func (f *File) readDisk() error {
	h, fi, err := openRegular(f.Loc, f.Display)
	if err != nil {
		return err
	}
	defer h.Close()
	if fi.Size() > MaxFileBytes {
		return &Error{Code: TooLarge, Path: f.Display,
			Message: fmt.Sprintf("%s has %d MiB; files up to %d MiB can be read", f.Display, fi.Size()>>20, MaxFileBytes>>20),
			Hint:    "Use grep_search to find a part of it."}
	}
	f.stamp, f.mode = stampOf(fi), fi.Mode()
	f.Bytes, err = readAll(h, fi.Size())
	if err != nil {
		return &Error{Code: IO, Path: f.Display, Message: fmt.Sprintf("reading %s: %s", f.Display, errText(err)), Err: err}
	}
	return nil
}

// readAll reads to the end, which may be elsewhere than size says, but not
// beyond MaxFileBytes.
func readAll(r io.Reader, size int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) > MaxFileBytes {
			return nil, errors.New("it grew while it was read")
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// openRegular opens a regular file for reading.
func openRegular(loc Loc, display string) (*os.File, fs.FileInfo, error) {
	h, err := loc.root.os.OpenFile(loc.rel, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		if fi, there := exists(loc); there && !fi.Mode().IsRegular() && !fi.IsDir() { // a socket cannot be opened
			return nil, nil, &Error{Code: NotRegular, Path: display, Message: fmt.Sprintf("%s is %s, not a file", display, kindOf(fi.Mode())), Err: err}
		}
		return nil, nil, openError(display, err)
	}
	fi, err := h.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &Error{Code: NotRegular, Path: display, Message: fmt.Sprintf("%s is %s, not a file", display, kindOf(fi.Mode()))}
		if fi.IsDir() {
			err.(*Error).Hint, err.(*Error).Folder = "Use list_directory to see what is in it.", true
		}
	}
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, fi, nil
}

func openError(display string, err error) *Error {
	e := &Error{Code: IO, Path: display, Message: fmt.Sprintf("%s cannot be opened: %s", display, errText(err)), Err: err}
	if errors.Is(err, fs.ErrNotExist) {
		e.Code, e.Message = NotFound, display+" does not exist"
		e.Hint = "Use glob_search or list_directory to find the right path."
	}
	return e
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// Entry is one entry of a folder.
type Entry struct {
	Name string
	Kind string // "file", "dir", "link" or "other"
	Size int64  // of a file
}

// List lists a folder in the order of names.
func (w *Workspace) List(ctx context.Context, path string) (Loc, []Entry, error) {
	loc, err := w.Resolve(path)
	if err != nil {
		return Loc{}, nil, err
	}
	display := w.Display(loc)
	dir, err := loc.root.os.OpenFile(loc.rel, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return Loc{}, nil, openError(display, err)
	}
	defer dir.Close()
	if fi, err := dir.Stat(); err == nil && !fi.IsDir() {
		return Loc{}, nil, &Error{Code: NotRegular, Path: display, Message: display + " is a file, not a folder", Hint: "Use read_file to read it."}
	}
	des, err := dir.ReadDir(-1)
	if err != nil {
		return Loc{}, nil, openError(display, err)
	}
	entries := make([]Entry, 0, len(des))
	for _, de := range des {
		e := Entry{Name: de.Name()}
		switch {
		case de.IsDir():
			e.Kind = "dir"
		case de.Type()&fs.ModeSymlink != 0:
			e.Kind = "link"
		case de.Type().IsRegular():
			e.Kind = "file"
			if fi, err := de.Info(); err == nil {
				e.Size = fi.Size()
			}
		default:
			e.Kind = "other"
		}
		entries = append(entries, e)
	}
	sortEntries(entries)
	return loc, entries, ctx.Err()
}

func sortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
}
