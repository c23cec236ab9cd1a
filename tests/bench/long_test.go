package bench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/agentd-dev/agentd/tests/editor"
)

// endlessReplay is a model that always says the same.
const endlessReplay = `{"agentd":"replay","version":1}
{"request":{},"forever":true}
{"text":"Fine."}
{"usage":{"inputTokens":1000,"outputTokens":2}}
`

// BenchmarkLongSession is the memory of a daemon after 1,000 and after 10,000
// small turns of one session whose conversation is never summarised.
func BenchmarkLongSession(b *testing.B) {
	var early, late float64
	for range b.N {
		dir := b.TempDir()
		replay, config := filepath.Join(dir, "replay.jsonl"), filepath.Join(dir, "config.json")
		for path, text := range map[string]string{replay: endlessReplay, config: `{"context":{"*":100000000}}`} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
		}
		cmd := exec.Command(binary, "--state-dir", filepath.Join(dir, "state"), "--config", config, "--model", "replay:"+replay, "--framing=lines")
		ed, err := editor.Start(cmd, true)
		r := &rig{b: b, ed: ed, dir: dir}
		r.check(err)
		r.check(ed.Call(1, "initialize", map[string]any{"protocolVersion": 1, "capabilities": map[string]any{"confirm": map[string]any{}}}, nil))
		var s struct{ SessionID string }
		r.check(ed.Call(2, "session/new", map[string]any{"cwd": dir}, &s))
		r.session, r.n = s.SessionID, 2
		for i := range 10_000 {
			r.prompt()
			id := []byte(strconv.Itoa(r.n))
			at, _, err := ed.Wait(r.at, func(m editor.Message) bool { return m.Method == "" && bytes.Equal(m.ID, id) })
			r.check(err)
			if r.at = at + 1; i == 999 {
				early += pssOf(b, cmd.Process.Pid)
			}
		}
		late += pssOf(b, cmd.Process.Pid)
		r.check(ed.CloseInput())
		_, err = ed.Exit()
		r.check(err)
	}
	b.ReportMetric(early/float64(b.N), "MB-after-1000")
	b.ReportMetric(late/float64(b.N), "MB-after-10000")
}
