package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// filled is a store with one session of n turns.
func filled(t *testing.T, n int) *Store {
	t.Helper()
	s := New(filepath.Join(t.TempDir(), "sessions"))
	l, err := s.Create(Header{ID: "s-one", Cwd: "/ws", Title: "Hello", Created: time.Now()})
	must(t, err)
	for i := range n {
		turn := fmt.Sprint("t", i+1)
		must(t, l.Append(Record{Turn: turn, Message: model.TextMessage(model.RoleUser, "prompt "+turn)}))
		must(t, l.Append(Record{Turn: turn, Seq: 1, Event: json.RawMessage(`{"type":"x"}`)}))
		must(t, l.Append(Record{Turn: turn, End: "end_turn"}))
	}
	must(t, l.Close())
	return s
}

// TestTornLine: at whatever byte the file ends, what was whole is there, and it
// can be gone on with.
func TestTornLine(t *testing.T) {
	s := filled(t, 2)
	path := filepath.Join(s.Dir("s-one"), fileName)
	whole, err := os.ReadFile(path)
	must(t, err)
	first := strings.IndexByte(string(whole), '\n') + 1
	for cut := 0; cut <= len(whole); cut++ {
		must(t, os.WriteFile(path, whole[:cut], 0o600))
		l, _, records, err := s.Open("s-one")
		if cut < first {
			if err == nil {
				t.Fatalf("a file of %d bytes is opened", cut)
			}
			continue
		}
		must(t, err)
		if want := strings.Count(string(whole[first:cut]), "\n"); len(records) != want {
			t.Fatalf("%d records of %d bytes, want %d", len(records), cut, want)
		}
		must(t, l.Append(Record{Turn: "t9", End: "x"}))
		must(t, l.Close())
		_, again, err := s.Read("s-one")
		must(t, err)
		if len(again) != len(records)+1 || again[len(again)-1].Turn != "t9" {
			t.Fatalf("%d records after %d", len(again), len(records))
		}
	}
}

// TestLock: a session is open once, in any process; while it is, it can be read
// and listed, but not deleted.
func TestLock(t *testing.T) {
	s := filled(t, 1)
	l, _, _, err := s.Open("s-one")
	must(t, err)
	if _, _, _, err := s.Open("s-one"); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	if err := s.Delete("s-one"); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	if list, _, err := s.List("", "", 10); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	must(t, s.Fork("s-one", "s-two", ""))
	must(t, l.Close())
	must(t, s.Delete("s-one"))
	if _, err := os.Stat(s.Dir("s-one")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, err := range []error{s.Delete("s-one"), s.Delete("../x"), s.Delete("s-../../x"), s.Rename("s-no", "x"), s.Fork("s-no", "s-y", "")} {
		if !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	}
}

// TestList: newest first, by folder, page by page; what is no session is left
// out.
func TestList(t *testing.T) {
	s := New(filepath.Join(t.TempDir(), "sessions"))
	if list, next, err := s.List("", "", 10); err != nil || len(list) != 0 || next != "" {
		t.Errorf("%v %q %v", list, next, err)
	}
	now := time.Now()
	for i := range 7 {
		id := fmt.Sprint("s-", i)
		l, err := s.Create(Header{ID: id, Cwd: fmt.Sprint("/ws", i%2), Title: "Title " + id, Created: now})
		must(t, err)
		must(t, l.Close())
		at := now.Add(time.Duration(i/2) * time.Second) // some at the same time
		must(t, os.Chtimes(filepath.Join(s.Dir(id), fileName), at, at))
	}
	must(t, os.MkdirAll(filepath.Join(s.Dir("s-nothing"), "undo"), 0o700))
	must(t, os.MkdirAll(s.Dir("s-bad"), 0o700))
	must(t, os.WriteFile(filepath.Join(s.Dir("s-bad"), fileName), []byte("{}\n"), 0o600))
	var ids []string
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		list, next, err := s.List("", cursor, 3)
		must(t, err)
		for _, i := range list {
			ids = append(ids, i.ID)
		}
		cursor = next
	}
	if have := strings.Join(ids, " "); have != "s-6 s-4 s-5 s-2 s-3 s-0 s-1" {
		t.Errorf("%s", have)
	}
	must(t, s.Rename("s-4", "Mine"))
	list, _, err := s.List("/ws0/", "", 10)
	must(t, err)
	if len(list) != 4 || list[1].Title != "Mine" || list[2].Title != "Title s-2" {
		t.Errorf("%+v", list)
	}
	if _, _, err := s.List("", "nonsense", 1); err == nil {
		t.Error("a bad cursor passes")
	}
}

// TestFork: a fork has the turns up to the one that was named, and is a session
// of its own.
func TestFork(t *testing.T) {
	s := filled(t, 3)
	must(t, s.Fork("s-one", "s-two", "t2"))
	h, records, err := s.Read("s-two")
	must(t, err)
	if len(records) != 6 || records[5].Turn != "t2" || h.ID != "s-two" || h.Parent != "s-one" || h.ParentTurn != "t2" || h.Title != "Hello" {
		t.Errorf("%+v, %d records", h, len(records))
	}
	if err := s.Fork("s-one", "s-three", "t9"); err == nil {
		t.Error("a turn that there is not")
	}
	if err := s.Fork("s-one", "s-two", ""); err == nil {
		t.Error("a fork in the place of another session")
	}
}

// TestFormat: damaged lines and later versions.
func TestFormat(t *testing.T) {
	s := filled(t, 1)
	path := filepath.Join(s.Dir("s-one"), fileName)
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(b), "\n{", "\n{damage", 1)), 0o600))
	if _, records, err := s.Read("s-one"); err != nil || len(records) != 2 {
		t.Errorf("%d records, %v", len(records), err)
	}
	must(t, os.WriteFile(path, []byte(strings.Replace(string(b), `"v":1`, `"v":99`, 1)), 0o600))
	if _, _, err := s.Read("s-one"); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Error(err)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
}
