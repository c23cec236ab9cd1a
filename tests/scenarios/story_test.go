package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
	"github.com/rogpeppe/go-internal/testscript"
)

// story is one scenario while it runs.
type story struct {
	env   *testscript.Env
	model *fakemodel.Server
	ed    *editor.Editor
	// at is the place in the daemon's messages up to which the story has
	// been told.
	at int
	// asked is the last request of the daemon's that was expected.
	asked editor.Message
	ids   int
	// names are the ids of requests by the names that the story gave them.
	names map[string]string
	// acp is set when the story is told in ACP; then methods are those of the
	// requests by their ids, and checked is how many messages were held against
	// the schema.
	acp     bool
	methods map[string]string
	checked int
}

type storyKey struct{}

func storyOf(ts *testscript.TestScript) *story { return ts.Value(storyKey{}).(*story) }

// cleanUp ends what is left of a story that failed.
func (st *story) cleanUp() {
	if st.ed != nil {
		st.ed.Kill()
	}
	if st.model != nil {
		st.model.Close()
	}
}

// expand replaces ${NAME} by the environment, ${LONG} by a mebibyte. An unknown
// name stays.
func (st *story) expand(ts *testscript.TestScript, s string) string {
	var out strings.Builder
	for {
		i := strings.Index(s, "${")
		j := strings.Index(s[max(i, 0):], "}")
		if i < 0 || j < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:i])
		switch name := s[i+2 : i+j]; {
		case name == "LONG":
			out.WriteString(strings.Repeat("x", 1<<20))
		case ts.Getenv(name) == "":
			out.WriteString(s[i : i+j+1])
		default:
			out.WriteString(ts.Getenv(name))
		}
		s = s[i+j+1:]
	}
}

// params reads a JSON argument, {} if there is none.
func (st *story) params(ts *testscript.TestScript, args []string) json.RawMessage {
	text := strings.Join(args, " ")
	if text == "" {
		text = "{}"
	}
	raw := json.RawMessage(st.expand(ts, text))
	if !json.Valid(raw) {
		ts.Fatalf("no JSON: %s", raw)
	}
	return raw
}

// start starts a daemon and opens the connection unless raw is set.
func (st *story) start(ts *testscript.TestScript, args []string) {
	if st.ed != nil {
		ts.Fatalf("the daemon runs already")
	}
	lines := false
	st.acp = false
	caps := `{"confirm":{"hunks":true,"editContent":true},"askUser":true,"buffers":true}`
	var under, flags []string
	raw := false
	for _, a := range args {
		switch {
		case a == "raw":
			raw = true
		case a == "acp":
			st.acp, lines = true, true
			caps = `{"elicitation":{"form":{}}}`
			flags = append([]string{"acp"}, flags...)
		case strings.HasPrefix(a, "under "):
			under = strings.Fields(a)[1:]
		case strings.HasPrefix(a, "{"):
			caps = a
		default:
			lines = lines || a == "--framing=lines"
			flags = append(flags, a)
		}
	}
	line := slices.Concat(under, []string{binary}, flags)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = st.env.WorkDir
	cmd.Env = st.environ(ts)
	ed, err := editor.Start(cmd, lines)
	ts.Check(err)
	st.ed, st.at, st.names, st.methods, st.checked = ed, 0, map[string]string{}, map[string]string{}, 0
	ts.Setenv("PID", strconv.Itoa(cmd.Process.Pid))
	if raw {
		return
	}
	if st.acp {
		id := st.request(ts, "", "initialize", json.RawMessage(`{"protocolVersion":1,"clientInfo":{"name":"scenario","version":"1"},"clientCapabilities":`+caps+`}`))
		st.result(ts, id, nil)
		return
	}
	id := st.request(ts, "", "initialize", json.RawMessage(fmt.Sprintf(`{"protocolVersion":1,"clientInfo":{"name":"scenario"},"processId":%d,"capabilities":%s}`, os.Getpid(), caps)))
	st.result(ts, id, nil)
	ts.Check(ed.Notify("initialized", struct{}{}))
}

func (st *story) environ(ts *testscript.TestScript) []string {
	var env []string
	for _, kv := range st.env.Vars {
		name, _, _ := strings.Cut(kv, "=")
		env = append(env, name+"="+ts.Getenv(name))
	}
	for _, name := range []string{"BASE_URL", "MODEL", "MODEL_API_KEY", "GIT_PAGER", "OPENAI_API_KEY"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return env
}

// request sends a request and gives its id.
func (st *story) request(ts *testscript.TestScript, name, method string, params json.RawMessage) string {
	st.ids++
	id := fmt.Sprint(st.ids)
	if name != "" {
		st.names[name] = id
	}
	st.methods[id] = method
	ts.Check(st.ed.Request(st.ids, method, params))
	return id
}

// result waits for the answer to a request.
func (st *story) result(ts *testscript.TestScript, id string, fits func(editor.Message) error) editor.Message {
	from := 0
	if id == "null" { // there may be many: one after the other
		from = st.at
	}
	i, m, err := st.ed.Wait(from, func(m editor.Message) bool { return m.Method == "" && string(m.ID) == id })
	if err != nil {
		st.fatal(ts, fmt.Errorf("the answer to request %s: %w", id, err))
	}
	if fits == nil && m.Error != nil {
		st.fatal(ts, fmt.Errorf("request %s failed: %s", id, m.Error))
	}
	if fits != nil {
		if err := fits(m); err != nil {
			st.fatal(ts, fmt.Errorf("the answer to request %s: %w\n%s", id, err, m.Raw))
		}
	}
	st.at = max(st.at, i+1)
	return m
}

// fatal fails the story and shows what has been said.
func (st *story) fatal(ts *testscript.TestScript, err error) {
	var out strings.Builder
	for i, m := range st.ed.Log() {
		mark := "  "
		if i == st.at {
			mark = "> "
		}
		text := string(m.Raw)
		if len(text) > 1200 {
			text = text[:1200] + "..."
		}
		fmt.Fprintf(&out, "%s%s\n", mark, text)
	}
	fmt.Fprintf(&out, "stderr:\n%s", st.ed.Stderr())
	if st.model != nil {
		fmt.Fprintf(&out, "model: %v\n", st.model.Errors())
	}
	ts.Fatalf("%v\nmessages (> is where the story stands):\n%s", err, out.String())
}

// ended checks the end of the process.
func (st *story) ended(ts *testscript.TestScript, want int) {
	code, err := st.ed.Exit()
	if err == nil && st.acp {
		err = st.checkFrames()
	}
	switch {
	case err != nil:
	case strings.Contains(st.ed.Stderr(), "DATA RACE"):
		err = errors.New("a data race")
	case code != want:
		err = fmt.Errorf("exit code %d, not %d", code, want)
	}
	if err != nil {
		st.fatal(ts, err)
	}
	st.ed = nil
}
