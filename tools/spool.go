package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// MaxSpoolBytes bounds what one session keeps of long results.
const MaxSpoolBytes = 256 << 20

// Spool keeps the whole text of results that are too long for the model, in
// files of the session that read_file can page. The folder is made when it is
// first needed, readable by this user only, and stays as long as the session is
// stored (see Sweep).
type Spool struct {
	dir    string
	redact *Redactor

	mu    sync.Mutex
	n     int
	bytes int64
	made  bool
}

// NewSpool makes a spool in dir, which need not exist. Secrets are masked in
// what it keeps.
func NewSpool(dir string, r *Redactor) *Spool { return &Spool{dir: dir, redact: r} }

// Redactor masks secrets as the spool does; it is nil for a nil spool.
func (s *Spool) Redactor() *Redactor {
	if s == nil {
		return nil
	}
	return s.redact
}

// Dir is the folder of the spool.
func (s *Spool) Dir() string { return s.dir }

// Create makes a file for a result; name says what it holds, e.g. "run_command".
func (s *Spool) Create(name string) (*SpoolFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.made {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the folder for long results: %w", err)
		}
		s.made = true
	}
	var f *os.File
	for err := fs.ErrExist; errors.Is(err, fs.ErrExist); { // from an earlier process of the session
		s.n++
		if f, err = os.OpenFile(filepath.Join(s.dir, fmt.Sprintf("%03d-%s.txt", s.n, name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("keeping a long result: %w", err)
		}
	}
	return &SpoolFile{s: s, f: f, masked: s.redact.Stream()}, nil
}

// Save keeps a whole text and gives its path.
func (s *Spool) Save(name, text string) (string, error) {
	f, err := s.Create(name)
	if err != nil {
		return "", err
	}
	_, err = f.Write([]byte(text))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return f.Path(), err
}

// SpoolFile is a file of a spool while it is written.
type SpoolFile struct {
	s      *Spool
	f      *os.File
	masked *RedactStream
}

// Masked says that what is written is masked already. It is called first.
func (f *SpoolFile) Masked() *SpoolFile {
	f.masked = (*Redactor)(nil).Stream()
	return f
}

// Path is where read_file finds it.
func (f *SpoolFile) Path() string { return f.f.Name() }

// Write adds to the file. When the session's spool is full it reports success
// and drops the rest: a long result must not fail for it.
func (f *SpoolFile) Write(b []byte) (int, error) {
	return len(b), f.write(f.masked.Next(string(b)))
}

func (f *SpoolFile) write(b string) error {
	f.s.mu.Lock()
	left := MaxSpoolBytes - f.s.bytes
	n := min(int64(len(b)), left)
	f.s.bytes += n
	f.s.mu.Unlock()
	if n == 0 {
		return nil
	}
	_, err := f.f.WriteString(b[:n])
	return err
}

// Close closes the file.
func (f *SpoolFile) Close() error {
	err := f.write(f.masked.End())
	if cerr := f.f.Close(); err == nil {
		err = cerr
	}
	return err
}
