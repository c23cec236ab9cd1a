//go:build windows

package editstate

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// folder is an open folder of a walk. Names are opened relative to it, so that
// nothing outside the root can be reached from a folder inside.
type folder struct{ r *os.Root }

// openFolder opens the folder where a walk begins.
func openFolder(root *os.Root, rel string) (folder, error) {
	r, err := root.OpenRoot(rel)
	return folder{r}, err
}

// sub opens a folder in d.
func (d folder) sub(name string) (folder, error) {
	r, err := d.r.OpenRoot(name)
	return folder{r}, err
}

// open opens a file in d for reading.
func (d folder) open(name string) (rawFile, error) {
	f, err := d.r.Open(name)
	return rawFile{f}, err
}

func (d folder) entries() ([]fs.DirEntry, error) {
	f, err := d.r.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func (d folder) close() { d.r.Close() }

// rawFile is an open file.
type rawFile struct{ f *os.File }

// read fills b as far as one system call does; 0 is the end.
func (f rawFile) read(b []byte) (int, error) {
	n, err := f.f.Read(b)
	if errors.Is(err, io.EOF) {
		return 0, nil
	}
	return n, err
}

func (f rawFile) close() { f.f.Close() }
