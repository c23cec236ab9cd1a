//go:build !linux

package editstate

import (
	"io/fs"
	"os"
)

// temp is the file being written, under a name of its own.
type temp struct {
	f     *os.File
	named *namedTemp
}

func newTemp(dir *os.Root, dirPath string, s *staging, perm fs.FileMode) (*temp, error) {
	n := newNamed(dir, dirPath, s)
	f, err := n.create(perm)
	if err != nil {
		return nil, err
	}
	return &temp{f: f, named: n}, nil
}

func (t *temp) place(base string, create bool) error { return t.named.place(base, create) }

func (t *temp) discard() {
	t.f.Close()
	t.named.discard()
}

// keepOwner: other systems are not asked for more than the mode.
func keepOwner(_, _ *os.File) (lost []string) { return nil }
