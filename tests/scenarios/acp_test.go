package scenarios

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/agentd-dev/agentd/tests/acpschema"
	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/rogpeppe/go-internal/testscript"
)

// checkFrames holds all that the daemon has sent in a story told in ACP against
// the official schema.
func (st *story) checkFrames() error {
	schema, err := acpschema.Load()
	if err != nil {
		return err
	}
	for _, m := range st.ed.Log()[st.checked:] {
		if err := schema.Frame(m.Raw, st.methods[string(m.ID)]); err != nil {
			return fmt.Errorf("not as ACP has it: %w\n%s", err, m.Raw)
		}
		st.checked++
	}
	return nil
}

// cmdPermit answers the next permission request in ACP: permit OPTION [WANT],
// where OPTION is the id of an option, "cancelled", or the whole answer as JSON.
func cmdPermit(ts *testscript.TestScript, _ bool, args []string) {
	cmdExpect(ts, false, append([]string{"session/request_permission"}, args[1:]...))
	answer := args[0]
	switch {
	case strings.HasPrefix(answer, "{"):
	case answer == "cancelled":
		answer = `{"outcome":{"outcome":"cancelled"}}`
	default:
		answer = `{"outcome":{"outcome":"selected","optionId":"` + answer + `"}}`
	}
	cmdAnswer(ts, false, []string{answer})
}

// cmdUpdate expects an update in ACP: update KIND [JSON], a part of its body.
func cmdUpdate(ts *testscript.TestScript, neg bool, args []string) {
	st := storyOf(ts)
	want := map[string]any{"sessionUpdate": args[0]}
	ts.Check(json.Unmarshal(st.params(ts, args[1:]), &want))
	raw, err := json.Marshal(map[string]any{"update": want})
	ts.Check(err)
	cmdExpect(ts, neg, []string{"session/update", string(raw)})
}

// cmdSilence checks that the daemon has said nothing of a session before the
// reply that opened it: silence NAME.
func cmdSilence(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	for _, m := range st.ed.Log() {
		if m.Method == "" && string(m.ID) == st.id(args[0]) {
			return
		}
		if strings.Contains(string(m.Params), `"sessionId"`) {
			st.fatal(ts, fmt.Errorf("this was said before the reply to %s: %s", args[0], m.Raw))
		}
	}
}

// TestACPMethods asks for every method that the official schema gives to agents:
// each is known, whatever agentd says of the parameters.
func TestACPMethods(t *testing.T) {
	schema, err := acpschema.Load()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "acp", "--state-dir", t.TempDir(), "--model", "replay:demo")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	ed, err := editor.Start(cmd, true)
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Kill()
	if err := ed.Call(1, "initialize", map[string]any{"protocolVersion": 1}, nil); err != nil {
		t.Fatal(err)
	}
	methods := schema.Methods("agent")
	if len(methods) < 13 {
		t.Fatalf("the schema has only %v", methods)
	}
	for i, method := range methods {
		if method == "session/cancel" { // a notification
			continue
		}
		err := ed.Call(i+2, method, struct{}{}, nil)
		if err != nil && strings.Contains(err.Error(), "-32601") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// TestACPExamples holds the examples in the chapter on ACP of protocol.md against
// the official schema.
func TestACPExamples(t *testing.T) {
	schema, err := acpschema.Load()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(page), "\n## ACP\n")
	examples := strings.Split(chapter, "```json\n")[1:]
	if len(examples) < 4 {
		t.Fatalf("there are only %d examples", len(examples))
	}
	method := ""
	for _, e := range examples {
		raw, _, _ := strings.Cut(e, "\n```")
		var m editor.Message
		if err := json.Unmarshal([]byte(raw), &m); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		if m.Method != "" {
			method, err = m.Method, schema.Frame(json.RawMessage(raw), "")
		} else {
			err = schema.Answer(method, m.Result)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, raw)
		}
	}
}
