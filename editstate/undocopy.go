package editstate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyUndo gives a session that begins like another one what that has kept of the
// turns that both have, from folder to folder. Images are shared as links where
// the file system has them: they are written once and never changed.
func CopyUndo(from, to string, shared func(turn string) bool) error {
	b, err := os.ReadFile(filepath.Join(from, journalName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it has changed nothing
	}
	if err != nil {
		return err
	}
	var kept []byte
	images := map[string]bool{}
	for line := range bytes.Lines(b) {
		var r undoRecord
		if json.Unmarshal(line, &r) != nil || !shared(r.Turn) || r.Before.restore() != nil {
			continue
		}
		kept = append(append(kept, bytes.TrimRight(line, "\n")...), '\n')
		if r.Before != nil {
			images[r.Before.Hash.String()] = true
		}
	}
	if len(kept) == 0 {
		return nil
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for name := range images {
		if err := shareFile(filepath.Join(from, name), filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err // of what a turn wrote itself there is no image
		}
	}
	return os.WriteFile(filepath.Join(to, journalName), kept, 0o600)
}

func shareFile(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}
