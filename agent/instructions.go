package agent

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/agentd-dev/agentd/editstate"
)

const (
	// instructionsName is the file with instructions for agents; see
	// https://agents.md.
	instructionsName = "AGENTS.md"
	// mostInstructions bounds one such file, mostFolders how many of folders a
	// session is told of.
	mostInstructions = 32 << 10
	mostFolders      = 20
)

// instructions finds the AGENTS.md of the folders that a session works in. Those
// of the roots are in the system prompt; that of another folder is told with the
// first result that has to do with a file in it.
type instructions struct {
	mu    sync.Mutex
	seen  map[string]bool // folders that were looked at
	told  map[string]bool // texts, so that a copy is not told again
	fresh []string        // to be told with the next message
	// folders is what folders have told, as far as the model has it.
	folders []string
}

// rootInstructions gives the instructions of the user and of the roots.
func (s *Session) rootInstructions() string {
	var b strings.Builder
	s.guides.seen, s.guides.told = map[string]bool{}, map[string]bool{}
	if f := s.agent.cfg.UserInstructions; f != nil {
		if text := strings.TrimSpace(f()); text != "" {
			fmt.Fprintf(&b, "\n# Instructions of the user\n\n%s\n", cutText(text, mostInstructions))
		}
	}
	for _, root := range s.files.Roots() {
		s.guides.seen[root] = true
		if text := s.readInstructions(root); text != "" {
			fmt.Fprintf(&b, "\n# Instructions of the project (%s)\n\n%s\n", s.files.DisplayPath(filepath.Join(root, instructionsName)), text)
		}
	}
	return b.String()
}

// readInstructions reads the file of a folder; "" if there is none, or if its
// text was told already.
func (s *Session) readInstructions(dir string) string {
	f, err := s.files.Read(context.Background(), filepath.Join(dir, instructionsName))
	if err != nil || s.files.Protection(f.Loc) == editstate.Credentials { // a link to .env, say
		return ""
	}
	text, err := f.Text()
	if err != nil {
		return ""
	}
	text = cutText(s.agent.cfg.Redactor.Text(strings.TrimSpace(text)), mostInstructions)
	if text == "" || s.guides.told[text] {
		return ""
	}
	s.guides.told[text] = true
	return text
}

func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "\n[... the rest is left out ...]"
}

// touch is told of a file that a call has to do with.
func (s *Session) touch(file string) {
	g := &s.guides
	g.mu.Lock()
	defer g.mu.Unlock()
	roots := s.files.Roots()
	for dir := filepath.Dir(file); !g.seen[dir] && len(g.folders) < mostFolders; dir = filepath.Dir(dir) {
		if !insideAny(roots, dir) {
			return
		}
		g.seen[dir] = true
		if text := s.readInstructions(dir); text != "" {
			g.folders = append(g.folders, text)
			g.fresh = append(g.fresh, fmt.Sprintf("Instructions of %s, for the files below that folder:\n\n%s", s.files.DisplayPath(filepath.Join(dir, instructionsName)), text))
		}
	}
}

func insideAny(roots []string, dir string) bool {
	for _, r := range roots {
		if rel, err := filepath.Rel(r, dir); err == nil && rel != ".." && !strings.HasPrefix(filepath.ToSlash(rel), "../") && !path.IsAbs(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}

// forgetInstructions makes the instructions of folders be told again: the model
// has forgotten them. Those of the roots are in the system prompt.
func (s *Session) forgetInstructions() {
	g := &s.guides
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.seen)
	for _, text := range g.folders {
		delete(g.told, text)
	}
	for _, root := range s.files.Roots() {
		g.seen[root] = true
	}
	g.folders, g.fresh = nil, nil
}

// takeInstructions gives what is to be told.
func (s *Session) takeInstructions() []string {
	s.guides.mu.Lock()
	defer s.guides.mu.Unlock()
	fresh := s.guides.fresh
	s.guides.fresh = nil
	return fresh
}
