package store

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// Approvals are texts that a person has approved as they are, such as the
// configuration of a workspace: what has changed since is not approved. They are
// empty files named by a hash, so that processes do not disturb each other.
type Approvals struct{ dir string }

// Approvals are those that are kept beside the sessions.
func (s *Store) Approvals() Approvals {
	return Approvals{filepath.Join(filepath.Dir(s.dir), "approved")}
}

func (a Approvals) file(place, text string) string {
	sum := sha256.Sum256([]byte(place + "\x00" + text))
	return filepath.Join(a.dir, hex.EncodeToString(sum[:]))
}

// Has reports whether a text at a place (a path) was approved.
func (a Approvals) Has(place, text string) bool {
	_, err := os.Stat(a.file(place, text))
	return err == nil
}

// Add approves a text at a place.
func (a Approvals) Add(place, text string) error {
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(a.file(place, text), nil, 0o600)
}
