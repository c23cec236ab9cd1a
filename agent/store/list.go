package store

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Info is a stored session in a list.
type Info struct {
	ID      string    `json:"sessionId"`
	Title   string    `json:"title"`
	Cwd     string    `json:"cwd"`
	Created time.Time `json:"createdAt"`
	Updated time.Time `json:"updatedAt"`
}

// List lists the sessions of a folder, or of all if cwd is "", the newest first,
// from a cursor on that an earlier call has given. next is "" at the end.
// Files that cannot be read are left out.
func (s *Store) List(cwd, cursor string, limit int) (list []Info, next string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	if real, err := filepath.EvalSymlinks(cwd); err == nil && cwd != "" {
		cwd = real
	}
	all := []Info{}
	for _, e := range entries {
		if i, err := s.info(e.Name()); err == nil && (cwd == "" || filepath.Clean(cwd) == i.Cwd) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b Info) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	from := 0
	if cursor != "" {
		at, id, ok := parseCursor(cursor)
		if !ok {
			return nil, "", fmt.Errorf("%q is no cursor of a list", cursor)
		}
		for from < len(all) && (all[from].Updated.After(at) || all[from].Updated.Equal(at) && all[from].ID <= id) {
			from++
		}
	}
	all = all[from:]
	if len(all) > limit {
		all = all[:limit]
		next = cursorOf(all[limit-1])
	}
	return all, next, nil
}

func cursorOf(i Info) string { return i.Updated.UTC().Format(time.RFC3339Nano) + "/" + i.ID }

func parseCursor(c string) (at time.Time, id string, ok bool) {
	when, id, ok := strings.Cut(c, "/")
	at, err := time.Parse(time.RFC3339Nano, when)
	return at, id, ok && err == nil
}

// mostHead is how much of a file is read for a list: the first line, and the
// lines that may give it a new title are looked for at the end.
const (
	mostHead = 64 << 10
	mostTail = 4 << 10
)

// info reads as much of a file as a list needs.
func (s *Store) info(id string) (Info, error) {
	path, err := s.file(id)
	if err != nil {
		return Info{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	line, err := bufio.NewReaderSize(io.LimitReader(f, mostHead), 4096).ReadBytes('\n')
	if err != nil {
		return Info{}, err
	}
	var h Header
	if err := json.Unmarshal(line, &h); err != nil || h.Version == 0 || h.ID != id {
		return Info{}, fmt.Errorf("%s is no session", path)
	}
	return Info{ID: h.ID, Title: cmp.Or(s.title(id), h.Title), Cwd: h.Cwd, Created: h.Created, Updated: fi.ModTime()}, nil
}
