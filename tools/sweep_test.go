package tools

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSweep: what dead sessions left goes after a week, or when it is too much;
// open sessions keep theirs.
func TestSweep(t *testing.T) {
	now := time.Now()
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"s-new": time.Hour, "s-day": 24 * time.Hour, "s-old": 8 * 24 * time.Hour, "s-open": 30 * 24 * time.Hour} {
		folder := filepath.Join(dir, name, "undo")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		image := filepath.Join(folder, "image")
		if err := os.WriteFile(image, make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{image, folder, filepath.Dir(folder)} {
			if err := os.Chtimes(p, now.Add(-age), now.Add(-age)); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(most int64, want ...string) {
		t.Helper()
		Sweep(dir, now, most, func(id string) bool { return id == "s-open" })
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, e := range entries {
			have = append(have, e.Name())
		}
		if !slices.Equal(have, want) {
			t.Errorf("left are %v, want %v", have, want)
		}
	}
	check(1<<30, "s-day", "s-new", "s-open")
	folder := int64(2 * 4096) // what the folders themselves count, at most
	check(1000+folder, "s-new", "s-open")
	Sweep(filepath.Join(dir, "nothing"), now, 0, nil)
}
