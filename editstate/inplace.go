package editstate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Replacing a file by a new one loses what belongs to the old one and cannot be
// given to the new: an owner that is another user's, an attribute that this
// user may not set. It fails where the folder takes no new files, and where the
// file is a mount point, as in containers. There the file is overwritten in
// place. Readers can then see a part, and a crash in the moment of writing can
// leave one; the result says that it was done, and the content from before the
// turn is with the images of Undo.
//
// A file with other hard links is never overwritten: they could lie outside of
// the workspace.

// inPlaceHelps reports whether err, from replacing a file, has to do with its
// folder and not with the file.
func inPlaceHelps(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EXDEV)
}

// overwrite writes in place, after replacing the file failed or would have lost
// something (cause), if that is possible. If not, done is false, and nothing
// was changed.
func (w writing) overwrite(dir *os.Root, base, cause string) (fi fs.FileInfo, notes []string, done bool, err error) {
	old := w.old
	if old == nil || old.stamp.links > 1 {
		return nil, nil, false, nil
	}
	f, err := dir.OpenFile(base, os.O_RDWR|openNonblock, 0)
	if err != nil {
		return nil, nil, false, nil
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() || linkCount(fi) > 1 {
		return nil, nil, false, nil
	}
	if err := w.kept(); err != nil {
		return nil, nil, true, err
	}
	if err := overwrite(f, old, w.b); err != nil {
		return nil, nil, true, err
	}
	fi, err = f.Stat()
	return fi, []string{fmt.Sprintf("%s was overwritten in place, since %s.", old.Display, cause)}, true, err
}

// overwrite gives f the content b in place of that of old. What can fail for
// want of space is written first, behind the old content; whatever fails, the
// old content is put back.
func overwrite(f *os.File, old *File, b []byte) error {
	was, err := readAll(f, int64(len(old.Bytes)))
	if err != nil {
		return err
	}
	if !bytes.Equal(was, old.Bytes) {
		return &Error{Code: Stale, Path: old.Display, Message: old.Display + " was changed by somebody else meanwhile; nothing was written",
			Hint: "Read it again with read_file and repeat the change if it is still needed."}
	}
	n := min(len(b), len(was))
	err = writeAt(f, b[n:], n)
	if err == nil {
		err = writeAt(f, b[:n], 0)
	}
	if err == nil {
		err = f.Truncate(int64(len(b)))
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		return nil
	}
	back := f.Truncate(int64(len(was)))
	if back == nil {
		back = writeAt(f, was, 0)
	}
	if back == nil {
		back = f.Sync()
	}
	if back != nil {
		return &Error{Code: IO, Path: old.Display, Err: err,
			Message: fmt.Sprintf("writing %s failed: %s; putting its old content back failed, too: %s. The file may be damaged", old.Display, errText(err), errText(back)),
			Hint:    "Tell the user. The content from before can be put back with /undo."}
	}
	return err
}

func writeAt(w io.WriterAt, b []byte, at int) error {
	if len(b) == 0 {
		return nil
	}
	_, err := w.WriteAt(b, int64(at))
	return err
}
