//go:build unix

package editstate

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// folder is an open folder of a walk. Names are opened relative to it and
// links are not followed, so that nothing outside the root can be reached from
// a folder inside, whatever is renamed meanwhile.
type folder struct{ f *os.File }

// openFolder opens the folder where a walk begins.
func openFolder(root *os.Root, rel string) (folder, error) {
	f, err := root.OpenFile(rel, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	return folder{f}, err
}

// sub opens a folder in d.
func (d folder) sub(name string) (folder, error) {
	fd, err := openAt(d.f, name, unix.O_DIRECTORY)
	if err != nil {
		return folder{}, err
	}
	return folder{os.NewFile(uintptr(fd), name)}, nil
}

// open opens a file in d for reading, which never waits.
func (d folder) open(name string) (rawFile, error) {
	fd, err := openAt(d.f, name, unix.O_NONBLOCK)
	return rawFile{fd}, err
}

func openAt(dir *os.File, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return -1, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return fd, nil
	}
}

func (d folder) entries() ([]fs.DirEntry, error) { return d.f.ReadDir(-1) }

func (d folder) close() { d.f.Close() }

// rawFile is an open file without the cost of an os.File, which a walk would
// pay for each of thousands of files.
type rawFile struct{ fd int }

// read fills b as far as one system call does; 0 is the end.
func (f rawFile) read(b []byte) (int, error) {
	for {
		n, err := unix.Read(f.fd, b)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, &fs.PathError{Op: "read", Err: err}
		}
		return n, nil
	}
}

func (f rawFile) close() { unix.Close(f.fd) }
