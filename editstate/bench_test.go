package editstate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var benchSizes = []int{1 << 10, 100 << 10, 10 << 20}

func benchWorld(b *testing.B, size int) (*Workspace, string) {
	b.Helper()
	dir := b.TempDir()
	line := strings.Repeat("x", 63) + "\n"
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte(strings.Repeat(line, size/64-1)+"generation 0\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	h := NewHost(filepath.Join(dir, "staging"))
	w, err := h.Open(Config{Roots: []string{dir}, Undo: NewUndo(filepath.Join(dir, "undo"))})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close(); h.Close() })
	return w, path
}

// BenchmarkEdit is an edit from the plan to the file on disk; Plain is reading,
// hashing, writing and syncing the same file once, with nothing else.
func BenchmarkEdit(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			w, _ := benchWorld(b, size)
			f, err := w.Read(context.Background(), "f")
			if err != nil {
				b.Fatal(err)
			}
			w.SeeAll(f)
			for n := 0; b.Loop(); n++ {
				c, err := w.PlanEdit(context.Background(), "f", []Edit{{Old: fmt.Sprintf("generation %d\n", n), New: fmt.Sprintf("generation %d\n", n+1)}})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := w.Apply(context.Background(), c, Approval{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPlainEdit(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			_, path := benchWorld(b, size)
			for b.Loop() {
				data, err := os.ReadFile(path)
				if err != nil {
					b.Fatal(err)
				}
				_ = sha256.Sum256(data)
				f, err := os.Create(path + ".tmp")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := f.Write(data); err != nil {
					b.Fatal(err)
				}
				if err := f.Sync(); err != nil {
					b.Fatal(err)
				}
				f.Close()
				if err := os.Rename(path+".tmp", path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			w, _ := benchWorld(b, size)
			for b.Loop() {
				if _, err := w.Read(context.Background(), "f"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPlainRead(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			_, path := benchWorld(b, size)
			for b.Loop() {
				data, err := os.ReadFile(path)
				if err != nil {
					b.Fatal(err)
				}
				_ = sha256.Sum256(data)
			}
		})
	}
}

// BenchmarkLookAgain is what the watcher does for an event of a file that has
// not changed; PlainStat is one stat.
func BenchmarkLookAgain(b *testing.B) {
	w, path := benchWorld(b, 100<<10)
	f, err := w.Read(context.Background(), "f")
	if err != nil {
		b.Fatal(err)
	}
	w.SeeAll(f)
	for b.Loop() {
		if w.ledger.differs(path) {
			b.Fatal("it differs")
		}
	}
}

func BenchmarkPlainStat(b *testing.B) {
	_, path := benchWorld(b, 100<<10)
	for b.Loop() {
		if _, err := os.Stat(path); err != nil {
			b.Fatal(err)
		}
	}
}
