//go:build unix

package demo

import (
	"os"
	"strings"
	"testing"
)

// TestYes is what `make demo` shows, at its own speed, without a person.
func TestYes(t *testing.T) {
	t.Parallel()
	r := newRun(t, "--yes")
	out := r.finish("", 0)
	contains(t, out, "Only the model is played by a script", "I am a script, not a model", "3 of 4 fail", "exit code 1",
		"1, by --yes: The first one", "hunk 1 of 3", "hunk 3 of 3", "allowed by --yes", "all 4 pass", "Changed in "+r.home, "split.sh  +8 -1", "Next")
	lacks(t, out, "\x1b")
	contains(t, r.sample(), "nobody to pay", "rest=", "n <= rest")
}

// TestAnswers lets a person answer in the ways that there are.
func TestAnswers(t *testing.T) {
	first, nobody, tip := "n <= rest", "nobody to pay", "tip $tip"
	for _, c := range []struct {
		name, input string
		exit        int
		shows       []string
		has, gone   []string
		asked       int // how often a call has to be allowed
		unchanged   bool
	}{
		{"allow", "a\n1\na\na\n", 0, []string{"> a\n", "allowed", "Then the first one pays it", "all 4 pass"}, []string{nobody, first}, []string{tip}, 3, false},
		{"the other answer", "a\n2\na\na\n", 0, []string{"Then everybody rounds up", "all 4 pass"}, []string{nobody, tip}, []string{first}, 3, false},
		{"own words", "a\nthe waiter\na\na\n", 0, []string{"beyond a script", "all 4 pass"}, []string{first}, nil, 3, false},
		{"no answer", "a\n-\na\na\n", 0, []string{"not answered", "beyond a script"}, []string{first}, nil, 3, false},
		{"session", "s\n1\ns 1\n", 0, []string{"allowed for this session: this exact command", "which", "allowed for this session: edits of split.sh", "all 4 pass"}, []string{first}, nil, 2, false},
		{"which grant", "a\n1\ns\n2\na\n", 0, []string{"1  edits of split.sh", "2  edits in the whole workspace", "which? 2", "allowed for this session: edits in the whole"}, []string{first}, nil, 3, false},
		{"list of hunks", "a\n1\nh 2,3\na\n", 0, []string{"allowed: hunk 2, 3 of 3", "which you refused", "1 of 4 fail"}, []string{first}, []string{nobody}, 3, false},
		{"each hunk", "a\n2\nh\ny\nn\nr\na\n", 0, []string{"hunk 1? ", "hunk 2? ", "hunk 3? ", "allowed: hunk 1, 3 of 3"}, []string{nobody, tip}, []string{"+ people - 1"}, 3, false},
		{"no hunk", "a\n1\nh\nd\nr\n", 0, []string{"rejected", "Then I propose less", "No again"}, nil, []string{nobody}, 3, true},
		{"feedback", "a\n1\nf no check, please\na\na\n", 0, []string{"the model is told: no check, please", "told me why", "hunk 2 of 2", "1 of 4 fail"}, []string{first}, []string{nobody}, 4, false},
		{"feedback asked for", "a\n2\nf\nshorter\na\na\n", 0, []string{"what should the model know? shorter", "told me why"}, []string{tip}, []string{nobody}, 4, false},
		{"reject all", "r\n1\nr\nr\n", 0, []string{"I go on without the tests", "Then I propose less", "No again", "Nothing was changed"}, nil, nil, 3, true},
		{"not understood", "what?\n\nallow it\nh 1\na\n9\n1\nh 9\nh 3-1\na\na\n", 0, []string{"none of these", "none of these", "none of these", "not among 1 to 2", "not among 1 to 3", "all 4 pass"}, []string{first}, nil, 9, false},
		{"quit", "a\n1\nq\n", 1, []string{"the turn ended", "cancelled", "Nothing was changed"}, nil, nil, 2, true},
		{"end of input", "", 1, []string{"the input has ended: rejected", "Nothing was changed"}, nil, []string{nobody}, 1, true},
		{"end at the question", "a\n", 1, []string{"the input has ended: not answered", "the input has ended: rejected"}, nil, nil, 2, true},
		{"end at the edit", "a\n1\n", 1, []string{"hunk 3 of 3", "the input has ended: rejected"}, nil, nil, 2, true},
		{"end among hunks", "a\n1\nh\ny\n", 1, []string{"hunk 2? ", "the input has ended: rejected"}, nil, nil, 2, true},
		{"last line without end", "a\n1\na\na", 0, []string{"all 4 pass"}, nil, nil, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t, fast)
			out := r.finish(c.input, c.exit)
			contains(t, out, c.shows...)
			file := r.sample()
			for _, w := range c.has {
				contains(t, file, w)
			}
			lacks(t, file, c.gone...)
			if n := strings.Count(out, "[q]uit turn"); n != c.asked {
				t.Errorf("asked %d times, want %d:\n%s", n, c.asked, out)
			}
			if same := file == original(t); same != c.unchanged {
				t.Errorf("unchanged: %v", same)
			}
		})
	}
}

// TestFolder works in a real folder and reads prompts until the input ends.
func TestFolder(t *testing.T) {
	t.Parallel()
	r := newRun(t, "--dir", "$HOME/work", fast, "--mode", "accept-edits", "look", "around")
	if err := os.CopyFS(r.path("work"), subSample(t)); err != nil {
		t.Fatal(err)
	}
	out := r.finish("1\n/tool enable run_command\nagain\n/mode\n/quit\nnever\n", 0)
	contains(t, out, "folder  "+r.path("work")+"\n", "> look around", "Commands are switched off", "✓ Edit split.sh", "+ rest=", "nobody has run the tests",
		"> /tool enable run_command", "Enabled: run_command", "> again", "end of it", "accept-edits", "> /quit", "Changed in "+r.path("work"))
	lacks(t, out, "never", "throw-away", "[q]uit turn")
	b, err := os.ReadFile(r.path("work/split.sh"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(b), "n <= rest")
}

// TestEarlyEnd shows the reason when nothing can begin.
func TestEarlyEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		args  []string
		exit  int
		shows string
	}{
		{"no key", []string{"--dir", "$HOME"}, 1, "No model is set up"},
		{"no replay", []string{"--model", "replay:$HOME/none"}, 1, "there is no replay file"},
		{"no folder", []string{"--dir", "$HOME/none"}, 1, "--dir: "},
		{"a file", []string{"--dir", "$HOME/script"}, 1, "is a file, not a folder"},
		{"no such tool", []string{fast, "--enable", "nonsense"}, 1, "nonsense"},
		{"no such mode", []string{fast, "--mode", "nonsense"}, 1, "nonsense"},
		{"no such flag", []string{"--nonsense"}, 2, "Usage:"},
		{"help", []string{"--help"}, 0, "agentd demo --dir D"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			contains(t, newRun(t, c.args...).finish("", c.exit), c.shows)
		})
	}
	t.Run("the daemon does not start", func(t *testing.T) {
		t.Parallel()
		r := newRun(t, fast)
		if err := os.MkdirAll(r.path("config/agentd"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.path("config/agentd/config.json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		contains(t, r.finish("", 1), "agentd has ended (exit status 1)", "config.json cannot be read")
	})
}
