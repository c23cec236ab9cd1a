// Package bench measures the daemon as an editor meets it: a process, its
// pipes, a model server on loopback that answers at once. README.md has the
// figures; nothing here asserts a time.
package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

var binary string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "agentd-bench-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "agentd")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "github.com/agentd-dev/agentd/cmd/agentd").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// rig is a daemon with a session over a folder.
type rig struct {
	b       *testing.B
	ed      *editor.Editor
	model   *fakemodel.Server
	dir     string
	session string
	at      int
	n       int
}

func start(b *testing.B, script string, params map[string]any) *rig {
	b.Helper()
	m, err := fakemodel.New(script)
	if err != nil {
		b.Fatal(err)
	}
	r := &rig{b: b, model: m, dir: b.TempDir()}
	r.spawn(params)
	return r
}

// spawn starts a daemon and opens a session.
func (r *rig) spawn(params map[string]any) {
	r.b.Helper()
	cmd := exec.Command(binary, "--state-dir", filepath.Join(r.dir, "state"), "--base-url", r.model.URL, "--model", "fake", "--framing=lines")
	ed, err := editor.Start(cmd, true)
	r.check(err)
	r.ed, r.at = ed, 0
	r.check(ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "processId": os.Getpid(), "capabilities": map[string]any{"confirm": map[string]any{}}}, nil))
	all := map[string]any{"cwd": r.dir}
	for k, v := range params {
		all[k] = v
	}
	var s struct{ SessionID string }
	r.check(ed.Call(2, "session/new", all, &s))
	r.session, r.n = s.SessionID, 2
}

func (r *rig) check(err error) {
	r.b.Helper()
	if err != nil {
		r.b.Fatal(err)
	}
}

// prompt starts a turn.
func (r *rig) prompt() {
	r.n++
	r.check(r.ed.Request(r.n, "session/prompt", map[string]any{"sessionId": r.session, "prompt": []any{map[string]any{"type": "text", "text": "go"}}}))
}

// until waits for a message that holds a text.
func (r *rig) until(text string) editor.Message {
	r.b.Helper()
	i, m, err := r.ed.Wait(r.at, func(m editor.Message) bool { return bytes.Contains(m.Raw, []byte(text)) })
	r.check(err)
	r.at = i + 1
	return m
}

// end ends the daemon and reports its peak memory.
func (r *rig) end() time.Duration {
	t := time.Now()
	r.check(r.ed.CloseInput())
	_, err := r.ed.Exit()
	r.check(err)
	d := time.Since(t)
	if errs := r.model.Errors(); len(errs) > 0 {
		r.b.Fatal(errs)
	}
	r.model.Close()
	return d
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// cpu is what the daemon has used so far, in milliseconds.
func (r *rig) cpu() float64 {
	return ms(r.ed.Cmd.ProcessState.UserTime() + r.ed.Cmd.ProcessState.SystemTime())
}

// BenchmarkStart is the time from spawn to an open session, the proportional
// memory then, and the time from closed stdin to the end.
func BenchmarkStart(b *testing.B) {
	m, err := fakemodel.New("text hi")
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	var spawn, end, cpu, pss float64
	for range b.N {
		r := &rig{b: b, model: m, dir: b.TempDir()}
		t := time.Now()
		r.spawn(nil)
		spawn += ms(time.Since(t))
		pss += pssOf(b, r.ed.Cmd.Process.Pid)
		t = time.Now()
		r.check(r.ed.CloseInput())
		if _, err := r.ed.Exit(); err != nil {
			b.Fatal(err)
		}
		end += ms(time.Since(t))
		cpu += r.cpu()
	}
	n := float64(b.N)
	b.ReportMetric(spawn/n, "ms-to-session")
	b.ReportMetric(end/n, "ms-to-end")
	b.ReportMetric(cpu/n, "ms-cpu")
	b.ReportMetric(pss/n, "MB-pss")
}

// pssOf reads the proportional set size of a process, in megabytes.
func pssOf(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range strings.Split(string(text), "\n") {
		if f := strings.Fields(l); len(f) > 1 && f[0] == "Pss:" {
			kb, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kb / 1024
		}
	}
	return 0
}

// BenchmarkReads is the time of a round trip to a tool and back: twenty reads
// of 4 KB one after the other.
func BenchmarkReads(b *testing.B) {
	var wall, cpu, first, sent, size float64
	for range b.N {
		var script strings.Builder
		for i := range 20 {
			fmt.Fprintf(&script, "call read_file {\"path\":\"f%d.txt\"}\n---\n", i)
		}
		r := start(b, script.String()+"text done", nil)
		for i := range 20 {
			r.check(os.WriteFile(filepath.Join(r.dir, fmt.Sprintf("f%d.txt", i)), []byte(strings.Repeat("0123456 89 abcdefghijklmnopqrst\n", 128)), 0o644))
		}
		t := time.Now()
		r.prompt()
		r.until(`"tool_call"`)
		first += ms(time.Since(t))
		r.until(`"end_turn"`)
		wall += ms(time.Since(t)) / 20
		for i, q := range r.model.Requests() {
			if i == 0 {
				size += float64(len(q.Body)) / 1024
			}
			sent += float64(len(q.Body)) / 1024
		}
		r.end()
		cpu += r.cpu()
	}
	n := float64(b.N)
	b.ReportMetric(wall/n, "ms/trip")
	b.ReportMetric(cpu/n, "ms-cpu")
	b.ReportMetric(first/n, "ms-to-first-call")
	b.ReportMetric(size/n, "KB-first-request")
	b.ReportMetric(sent/n, "KB-sent")
}

// BenchmarkDeltas is 5,000 pieces of text, from the first update to the end.
func BenchmarkDeltas(b *testing.B) {
	var wall, cpu, rss float64
	for range b.N {
		r := start(b, "chunks 5000\ntext {{repeat 5000 word }}", nil)
		r.prompt()
		r.until(`"message_delta"`)
		t := time.Now()
		r.until(`"end_turn"`)
		wall += ms(time.Since(t))
		r.end()
		cpu += r.cpu()
		rss += maxRSS(r.ed.Cmd)
	}
	n := float64(b.N)
	b.ReportMetric(wall/n, "ms-deltas")
	b.ReportMetric(cpu/n, "ms-cpu")
	b.ReportMetric(rss/n, "MB-peak")
}

// BenchmarkEdit is a turn with a read, an edit and an approval, and the time
// from the approval to the changed file.
func BenchmarkEdit(b *testing.B) {
	var turn, write float64
	for range b.N {
		r := start(b, "call read_file {\"path\":\"f.txt\"}\n---\ncall edit_file {\"path\":\"f.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}\n---\ntext done", nil)
		file := filepath.Join(r.dir, "f.txt")
		r.check(os.WriteFile(file, []byte("one\n"), 0o644))
		t := time.Now()
		r.prompt()
		m := r.until(`"ui/confirm"`)
		t2 := time.Now()
		r.check(r.ed.Reply(m.ID, map[string]any{"decision": "allow"}))
		for {
			if have, err := os.ReadFile(file); err == nil && string(have) == "two\n" {
				break
			}
		}
		write += ms(time.Since(t2))
		r.until(`"end_turn"`)
		turn += ms(time.Since(t))
		r.end()
	}
	b.ReportMetric(turn/float64(b.N), "ms/turn")
	b.ReportMetric(write/float64(b.N), "ms-to-file")
}

// BenchmarkCommand is a turn with a command that prints 2 MB.
func BenchmarkCommand(b *testing.B) {
	var turn, cpu, rss float64
	for range b.N {
		r := start(b, "call run_command {\"command\":\"yes 'a line of text that is printed again and again' | head -c 2000000\"}\n---\ntext done", map[string]any{"enable": []string{"run_command"}})
		t := time.Now()
		r.prompt()
		if m := r.until(`run_command","status":"`); bytes.Contains(m.Raw, []byte(`"pending"`)) {
			_, c, err := r.ed.Wait(0, func(m editor.Message) bool {
				return m.Method == "ui/confirm" || bytes.Contains(m.Raw, []byte("end_turn"))
			})
			r.check(err)
			if c.Method != "" {
				r.check(r.ed.Reply(c.ID, map[string]any{"decision": "allow"}))
			}
		}
		r.until(`"end_turn"`)
		turn += ms(time.Since(t))
		r.end()
		cpu += r.cpu()
		rss += maxRSS(r.ed.Cmd)
	}
	b.ReportMetric(turn/float64(b.N), "ms/turn")
	b.ReportMetric(cpu/float64(b.N), "ms-cpu")
	b.ReportMetric(rss/float64(b.N), "MB-peak")
}
