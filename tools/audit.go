package tools

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// maxAuditBytes is the size at which the audit file is set aside as ".1".
const maxAuditBytes = 16 << 20

// Audit is the log of every call: one JSON object a line, readable by this
// user only, secrets masked. It is opened by the first record. A nil *Audit
// records nothing.
type Audit struct {
	path string

	mu   sync.Mutex
	f    *os.File
	size int64
}

// NewAudit makes an audit log at path.
func NewAudit(path string) *Audit { return &Audit{path: path} }

// Record is one line of the audit.
type Record struct {
	Time     time.Time       `json:"time"`
	Session  string          `json:"session"`
	Turn     string          `json:"turn"`
	Call     string          `json:"call"`
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args,omitempty"`
	Level    Level           `json:"level,omitempty"`
	Decision string          `json:"decision"` // allow, deny, none (never judged)
	By       string          `json:"by,omitempty"`
	Status   Status          `json:"status"`
	Code     Code            `json:"code,omitempty"`
	Ms       float64         `json:"ms"`
	Changes  []FileChange    `json:"changes,omitempty"`
}

// Write adds a record. The tool has run already: an error can only be logged.
func (a *Audit) Write(r Record) error {
	if a == nil {
		return nil
	}
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing the audit: %w", err)
	}
	b = append(b, '\n')
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.f != nil && a.size+int64(len(b)) > maxAuditBytes {
		// Another agentd may have set it aside already.
		mine, err := a.f.Stat()
		there, terr := os.Stat(a.path)
		a.f.Close()
		a.f = nil
		if err == nil && terr == nil && os.SameFile(mine, there) {
			if err := os.Rename(a.path, a.path+".1"); err != nil {
				return fmt.Errorf("rotating the audit: %w", err)
			}
		}
	}
	if a.f == nil {
		if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
			return fmt.Errorf("writing the audit: %w", err)
		}
		f, err := os.OpenFile(a.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
		if err != nil {
			return fmt.Errorf("writing the audit: %w", err)
		}
		if fi, err := f.Stat(); err == nil {
			a.size = fi.Size()
		}
		// A line that was cut by a crash must not take this one with it.
		var last [1]byte
		if _, err := f.ReadAt(last[:], a.size-1); err == nil && last[0] != '\n' {
			b = append([]byte{'\n'}, b...)
		}
		a.f = f
	}
	n, err := a.f.Write(b)
	a.size += int64(n)
	if err != nil {
		return fmt.Errorf("writing the audit: %w", err)
	}
	return nil
}

// Close closes the file.
func (a *Audit) Close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.f == nil {
		return nil
	}
	err := a.f.Close()
	a.f = nil
	return err
}
