// Package store keeps sessions on disk, one file each, so that they can be
// listed, opened again, forked and deleted, also after a crash.
//
// A file has one JSON object a line. The first is the Header, the others are
// Records, in the order in which things happened; lines are only ever added. A
// last line without its end is one that a crash has cut: it is dropped.
package store

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/editstate/filelock"
)

// Version is the version of the format. A file of a later one is not opened.
const Version = 1

// fileName is the name of the file in the folder of a session.
const fileName = "session.jsonl"

// Errors that callers tell apart.
var (
	ErrNotFound = errors.New("there is no such session")
	ErrInUse    = filelock.ErrLocked // by another process
)

// Header is the first line of a file.
type Header struct {
	Version int       `json:"v"`
	ID      string    `json:"id"`
	Cwd     string    `json:"cwd"`
	Roots   []string  `json:"roots,omitempty"`
	Title   string    `json:"title"` // made from the first prompt
	Created time.Time `json:"created"`
	// Parent is the session that this one was forked from, and the last turn
	// of it that both have.
	Parent     string `json:"parent,omitempty"`
	ParentTurn string `json:"parentTurn,omitempty"`
}

// Record is a line after the first: a message, an event, the end of a turn or
// what was chosen.
type Record struct {
	Turn string `json:"turn,omitempty"`
	// Event is the body of an update as the client was told it, Seq its number.
	Seq   int64           `json:"seq,omitempty"`
	Call  string          `json:"call,omitempty"` // that has started the subagent whose event it is
	Event json.RawMessage `json:"event,omitempty"`
	// Message is the next message of the model's history.
	Message *model.Message `json:"message,omitempty"`
	// History, if not nil, replaces all messages before it (compaction).
	History []*model.Message `json:"history,omitzero"`
	// End says how the turn ended; without it a turn was broken off.
	End string `json:"end,omitempty"`
	// Config is what was chosen for the session.
	Config *Config `json:"config,omitempty"`
}

// Config is what can be chosen for a session.
type Config struct {
	Mode  string `json:"mode,omitempty"`
	Model string `json:"model,omitempty"`
	// Effort is how much the model thinks.
	Effort string `json:"effort,omitempty"`
	// Off, if not nil, is all tools that were switched off.
	Off []string `json:"off,omitzero"`
}

// Store is the folder of the sessions. It is safe for concurrent use, by several
// processes too.
type Store struct{ dir string }

// New gives the store in dir, which need not exist.
func New(dir string) *Store { return &Store{dir} }

// idRule keeps ids from being paths.
var idRule = regexp.MustCompile(`^s-[A-Za-z0-9_-]{1,64}$`)

// Dir is the folder of a session, for all that belongs to it.
func (s *Store) Dir(id string) string { return filepath.Join(s.dir, id) }

func (s *Store) file(id string) (string, error) {
	if !idRule.MatchString(id) {
		return "", ErrNotFound
	}
	return filepath.Join(s.dir, id, fileName), nil
}

// Create makes the file of a new session and opens it for writing.
func (s *Store) Create(h Header) (*Log, error) {
	path, err := s.file(h.ID)
	if err != nil {
		return nil, fmt.Errorf("%q is no id of a session", h.ID)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{f: f}
	if err = filelock.Try(f); err == nil {
		h.Version = Version
		err = l.write(h)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// Open opens a session that was stored, to go on with it. It gives all that was
// written, and takes away a line that was cut.
func (s *Store) Open(id string) (*Log, *Header, []Record, error) {
	path, err := s.file(id)
	if err != nil {
		return nil, nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, nil, notFound(err)
	}
	l := &Log{f: f}
	if err := takeOver(f); err != nil {
		f.Close()
		return nil, nil, nil, err
	}
	h, records, end, err := read(f)
	var size int64
	if err == nil {
		size, err = f.Seek(0, io.SeekEnd)
	}
	if err == nil && size != end { // to open a session is not to change it
		err = f.Truncate(end)
	}
	if err == nil {
		l.end, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, nil, nil, fmt.Errorf("opening the session %s: %w", id, err)
	}
	return l, h, records, nil
}

// takeOver takes a file, also right after its process was killed: what that one
// was about to start may hold it for a moment.
func takeOver(f *os.File) error {
	for deadline := time.Now().Add(time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := filelock.Try(f)
		if !errors.Is(err, filelock.ErrLocked) || time.Now().After(deadline) {
			return err
		}
	}
}

// Read gives what is stored of a session, which may be open.
func (s *Store) Read(id string) (*Header, []Record, error) {
	path, err := s.file(id)
	if err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, notFound(err)
	}
	defer f.Close()
	h, records, _, err := read(f)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the session %s: %w", id, err)
	}
	return h, records, nil
}

func notFound(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return err
}

// read reads a file from its start. end is where the next line belongs.
func read(f io.Reader) (h *Header, records []Record, end int64, err error) {
	r := bufio.NewReaderSize(f, 1<<16)
	for n := 0; ; n++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			if h == nil {
				return nil, nil, 0, errors.New("the file has no first line")
			}
			return h, records, end, nil // without what was cut
		}
		if err != nil {
			return nil, nil, 0, err
		}
		if n == 0 {
			h = &Header{}
			if err := json.Unmarshal(line, h); err != nil || h.Version == 0 {
				return nil, nil, 0, errors.New("the first line is not that of a session")
			}
			if h.Version > Version {
				return nil, nil, 0, fmt.Errorf("the file has version %d of the format; this agentd knows %d", h.Version, Version)
			}
		} else {
			var rec Record
			if err := json.Unmarshal(line, &rec); err != nil {
				slog.Warn("a damaged line of a session is left out", "session", h.ID, "line", n+1, "err", err)
			} else {
				records = append(records, rec)
			}
		}
		end += int64(len(line))
	}
}

// titleName is the file with the title that a person has given.
const titleName = "title"

// Title is what a session is called: what a person has called it, else what its
// first prompt says.
func (s *Store) Title(h *Header) string { return cmp.Or(s.title(h.ID), h.Title) }

func (s *Store) title(id string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, id, titleName))
	if err != nil || len(b) > mostTail {
		return ""
	}
	return string(b)
}

// Rename gives a session a title.
func (s *Store) Rename(id, title string) error {
	if _, err := s.info(id); err != nil {
		return notFound(err)
	}
	return os.WriteFile(filepath.Join(s.dir, id, titleName), []byte(title), 0o600)
}

// Discard removes what a session that was never stored has left.
func (s *Store) Discard(id string) {
	path, err := s.file(id)
	if err != nil {
		return
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		_ = os.RemoveAll(filepath.Dir(path))
	}
}

// Delete removes a session with all that belongs to it. One that is open is not
// deleted.
func (s *Store) Delete(id string) error {
	path, err := s.file(id)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return notFound(err)
	}
	err = filelock.Try(f)
	f.Close() // Windows removes no open file
	if err != nil {
		return err
	}
	return os.RemoveAll(filepath.Dir(path))
}

// Fork writes a new session that begins with the turns of another one, up to
// the end of turn last; "" takes all.
func (s *Store) Fork(id, newID, last string) error {
	h, records, err := s.Read(id)
	if err != nil {
		return err
	}
	n := len(records)
	if last != "" {
		n = 0
		for i, r := range records {
			if r.Turn == last {
				n = i + 1
			}
		}
		if n == 0 {
			return fmt.Errorf("the session %s has no turn %q", id, last)
		}
	}
	title := cmp.Or(s.title(id), h.Title)
	h.ID, h.Parent, h.ParentTurn, h.Created, h.Title = newID, id, last, time.Now(), title
	l, err := s.Create(*h)
	if err != nil {
		return err
	}
	for _, r := range records[:n] {
		if err == nil {
			err = l.Append(r)
		}
	}
	return errors.Join(err, l.Close())
}
