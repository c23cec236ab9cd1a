// Package faults lets many turns run against a model server that fails in random
// ways. Each ends with exactly one reply, no invalid request is ever sent, and
// each session takes the next prompt.
package faults

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
)

var seed = flag.Uint64("seed", 1, "the seed of the faults")

const sessions = 50

// server plays faults: what a request gets follows from the seed, the session
// and the number of its request.
type server struct {
	mu     sync.Mutex
	counts map[string]int
	well   bool // from now on all is well
}

func (s *server) answer(r *fakemodel.Request) string {
	_, name, _ := strings.Cut(r.System, "Workspace: ")
	name, _, _ = strings.Cut(name, "\n")
	name = filepath.Base(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name]++
	if s.well {
		return "text All is well."
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", name, s.counts[name])
	return choose(rand.New(rand.NewPCG(*seed, h.Sum64())))
}

// daemon is the daemon under test.
type daemon struct {
	t  *testing.T
	ed *editor.Editor
	mu sync.Mutex
	id int
}

func (d *daemon) next() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.id++
	return d.id
}

func start(t *testing.T, url string) *daemon {
	t.Helper()
	dir := t.TempDir()
	binary, config := filepath.Join(dir, "agentd"), filepath.Join(dir, "config.json")
	args := []string{"build", "-o", binary}
	if raceEnabled {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "github.com/agentd-dev/agentd/cmd/agentd")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(config, []byte(`{"provider":{"idleSeconds":1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "--config", config, "--state-dir", filepath.Join(dir, "state"), "--base-url", url, "--model", "fake", "--framing=lines", "--log-level=error")
	ed, err := editor.Start(cmd, true)
	if err != nil {
		t.Fatal(err)
	}
	d := &daemon{t: t, ed: ed}
	t.Cleanup(ed.Kill)
	if err := ed.Call(d.next(), "initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{"confirm": map[string]any{}}}, nil); err != nil {
		t.Fatal(err)
	}
	return d
}

// session opens a session over a folder of its own.
func (d *daemon) session(n int) string {
	d.t.Helper()
	dir := filepath.Join(d.t.TempDir(), fmt.Sprintf("s%02d", n))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o644); err != nil {
		d.t.Fatal(err)
	}
	var s struct{ SessionID string }
	if err := d.ed.Call(d.next(), "session/new", map[string]any{"cwd": dir, "mode": []string{"ask", "auto", "plan"}[n%3]}, &s); err != nil {
		d.t.Fatal(err)
	}
	return s.SessionID
}

// turn runs a turn and gives its stop reason; it is cancelled after a while if
// the chance says so.
func (d *daemon) turn(session string, from int, cancel time.Duration) (stop string, at int, err error) {
	id := d.next()
	prompt := []any{map[string]any{"type": "text", "text": fmt.Sprint("go ", id)}}
	if err := d.ed.Request(id, "session/prompt", map[string]any{"sessionId": session, "prompt": prompt}); err != nil {
		return "", from, err
	}
	if cancel > 0 {
		timer := time.AfterFunc(cancel, func() { _ = d.ed.Notify("session/cancel", map[string]any{"sessionId": session}) })
		defer timer.Stop()
	}
	want := []byte(fmt.Sprint(id))
	for range 6 { // as long as a turn may take that is retried and retried
		at, m, err := d.ed.Wait(from, func(m editor.Message) bool { return m.Method == "" && bytes.Equal(m.ID, want) })
		if err != nil {
			continue
		}
		var r struct{ StopReason string }
		if m.Error != nil || json.Unmarshal(m.Result, &r) != nil {
			return "", at, fmt.Errorf("the prompt was answered with %s", m.Raw)
		}
		return r.StopReason, at, nil
	}
	return "", from, fmt.Errorf("no reply to prompt %d of %s", id, session)
}

// confirmAll answers confirmations, one way or another, until the daemon ends.
func (d *daemon) confirmAll() {
	r := rand.New(rand.NewPCG(*seed, 0))
	for at := 0; ; {
		i, m, err := d.ed.Wait(at, func(m editor.Message) bool { return m.Method == "ui/confirm" })
		if err != nil {
			if strings.Contains(err.Error(), "ended") {
				return
			}
			continue
		}
		at = i + 1
		_ = d.ed.Reply(m.ID, map[string]any{"decision": []string{"allow", "reject", "allowSession", "abort"}[r.IntN(4)]})
	}
}

func TestFaults(t *testing.T) {
	srv := &server{counts: map[string]int{}}
	m, err := fakemodel.NewFunc(srv.answer)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	d := start(t, m.URL)
	go d.confirmAll()
	begun := time.Now()
	stops := map[string]int{}
	ids := make([]string, sessions)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for n := range ids {
		ids[n] = d.session(n)
		wg.Go(func() {
			r := rand.New(rand.NewPCG(*seed, uint64(n)))
			at := 0
			for range turns / sessions {
				var cancel time.Duration
				if r.IntN(10) == 0 {
					cancel = time.Duration(1+r.IntN(300)) * time.Millisecond
				}
				stop, i, err := d.turn(ids[n], at, cancel)
				mu.Lock()
				stops[stop]++
				mu.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
				at = i
			}
		})
	}
	wg.Wait()
	t.Logf("seed %d: %d turns, %d requests in %.1f s: %v", *seed, turns, len(m.Requests()), time.Since(begun).Seconds(), stops)
	srv.mu.Lock()
	srv.well = true
	srv.mu.Unlock()
	for _, id := range ids {
		if stop, _, err := d.turn(id, 0, 0); err != nil || stop != "end_turn" {
			t.Errorf("the session does not go on: %s %v", stop, err)
		}
	}
	for _, e := range m.Errors() {
		t.Errorf("an invalid request: %.1000s", e)
	}
	d.end(turns + sessions)
}

// end ends the daemon, and checks that each prompt has had one reply.
func (d *daemon) end(prompts int) {
	if err := d.ed.CloseInput(); err != nil {
		d.t.Error(err)
	}
	if code, err := d.ed.Exit(); err != nil || code != 0 {
		d.t.Errorf("exit code %d, %v", code, err)
	}
	replies := map[string]int{}
	for _, m := range d.ed.Log() {
		if m.Method == "" && bytes.Contains(m.Result, []byte(`"stopReason"`)) {
			replies[string(m.ID)]++
		}
	}
	if len(replies) != prompts {
		d.t.Errorf("%d prompts, %d with a reply", prompts, len(replies))
	}
	for id, n := range replies {
		if n != 1 {
			d.t.Errorf("prompt %s has %d replies", id, n)
		}
	}
	if log := d.ed.Stderr(); strings.Contains(log, "panic") || strings.Contains(log, "DATA RACE") {
		d.t.Errorf("the log: %.4000s", log)
	}
}
