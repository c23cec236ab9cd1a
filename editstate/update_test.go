package editstate

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestUpdate: changes of several workspaces over one folder, as of several
// processes, are all made.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		w := openWorld(t, Config{Roots: []string{dir}}) // with a host, and locks, of its own
		wg.Go(func() {
			for range 25 {
				if err := w.Update(t.Context(), ".agentd/n", func(old []byte) ([]byte, error) {
					n, _ := strconv.Atoi(string(old)) // "" is 0
					return []byte(strconv.Itoa(n + 1)), nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if b, err := os.ReadFile(filepath.Join(dir, ".agentd/n")); err != nil || string(b) != "100" {
		t.Errorf("%q %v", b, err)
	}
	w := openWorld(t, Config{Roots: []string{dir}})
	no := errors.New("no")
	if err := w.Update(t.Context(), ".agentd/n", func([]byte) ([]byte, error) { return nil, no }); !errors.Is(err, no) {
		t.Error(err)
	}
	wantCode(t, w.Update(t.Context(), "../x", func([]byte) ([]byte, error) { return nil, nil }), OutsideRoots)
}
