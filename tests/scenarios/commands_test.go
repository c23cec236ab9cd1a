package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/agentd-dev/agentd/tests/editor"
	"github.com/agentd-dev/agentd/tests/fakemodel"
	"github.com/rogpeppe/go-internal/testscript"
)

type command = func(ts *testscript.TestScript, neg bool, args []string)

// commands are what a scenario can say; README.md explains them.
func commands() map[string]command {
	return map[string]command{
		"model":     cmdModel,
		"start":     func(ts *testscript.TestScript, _ bool, args []string) { storyOf(ts).start(ts, args) },
		"session":   cmdSession,
		"prompt":    cmdPrompt,
		"end":       cmdEnd,
		"request":   cmdRequest,
		"notify":    cmdNotify,
		"reply":     cmdReply,
		"error":     cmdError,
		"expect":    cmdExpect,
		"confirm":   cmdConfirm,
		"ask":       cmdAsk,
		"permit":    cmdPermit,
		"update":    cmdUpdate,
		"silence":   cmdSilence,
		"answer":    cmdAnswer,
		"fail":      cmdFail,
		"raw":       cmdRaw,
		"frame":     cmdFrame,
		"tool":      cmdTool,
		"results":   cmdResults,
		"said":      cmdSaid,
		"stop":      cmdStop,
		"hangup":    cmdHangup,
		"exit":      cmdExit,
		"sigkill":   cmdKill,
		"bytes":     cmdBytes,
		"hasbytes":  cmdHasBytes,
		"awaits":    cmdWait,
		"pause":     cmdPause,
		"processes": cmdProcesses,
		"logged":    cmdLogged,
	}
}

// cmdModel starts the scripted model: model [FILE].
func cmdModel(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	file := "model"
	if len(args) > 0 {
		file = args[0]
	}
	m, err := fakemodel.New(st.expand(ts, ts.ReadFile(file)))
	ts.Check(err)
	st.model = m
	ts.Setenv("BASE_URL", m.URL)
}

// cmdSession opens a session: session [JSON], which is joined to {"cwd": ws}.
func cmdSession(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	params := map[string]any{"cwd": ts.Getenv("WS")}
	if st.acp {
		params["mcpServers"] = []any{}
	}
	ts.Check(json.Unmarshal(st.params(ts, args), &params))
	raw, err := json.Marshal(params)
	ts.Check(err)
	m := st.result(ts, st.request(ts, "", "session/new", raw), nil)
	var r struct{ SessionID string }
	ts.Check(json.Unmarshal(m.Result, &r))
	ts.Setenv("SESSION", r.SessionID)
}

// cmdPrompt starts a turn and does not wait: prompt TEXT...
func cmdPrompt(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	raw, err := json.Marshal(map[string]any{"sessionId": ts.Getenv("SESSION"),
		"prompt": []any{map[string]any{"type": "text", "text": st.expand(ts, strings.Join(args, " "))}}})
	ts.Check(err)
	st.request(ts, "prompt", "session/prompt", raw)
}

// cmdEnd waits for the end of the turn: end STOPREASON [JSON].
func cmdEnd(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	want := `{"stopReason":"` + args[0] + `"}`
	st.result(ts, st.names["prompt"], func(m editor.Message) error {
		if err := editor.Fits(m.Result, json.RawMessage(want)); err != nil {
			return err
		}
		if len(args) > 1 {
			return editor.Fits(m.Result, st.params(ts, args[1:]))
		}
		return nil
	})
}

// cmdRequest sends a request under a name: request NAME METHOD [JSON].
func cmdRequest(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	st.request(ts, args[0], args[1], st.params(ts, args[2:]))
}

// cmdNotify sends a notification: notify METHOD [JSON].
func cmdNotify(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	ts.Check(st.ed.Notify(args[0], st.params(ts, args[1:])))
}

// cmdReply waits for the result of a named request: reply NAME [JSON].
func cmdReply(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	st.result(ts, st.id(args[0]), func(m editor.Message) error {
		if m.Error != nil {
			return fmt.Errorf("an error")
		}
		return editor.Fits(m.Result, st.params(ts, args[1:]))
	})
}

// cmdError waits for the error of a named request: error NAME CODE [JSON].
func cmdError(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	st.result(ts, st.id(args[0]), func(m editor.Message) error {
		if err := editor.Fits(m.Error, json.RawMessage(`{"code":`+args[1]+`}`)); err != nil {
			return err
		}
		return editor.Fits(m.Error, st.params(ts, args[2:]))
	})
}

// id is the id of a named request, or an id as it is: 7, "x", null.
func (st *story) id(name string) string {
	if id, ok := st.names[name]; ok {
		return id
	}
	return name
}

// cmdExpect waits for a message of the daemon's: expect METHOD [JSON]. With !
// there must be none so far after the place where the story stands.
func cmdExpect(ts *testscript.TestScript, neg bool, args []string) {
	st := storyOf(ts)
	want := st.params(ts, args[1:])
	fits := func(m editor.Message) bool { return m.Method == args[0] && editor.Fits(m.Params, want) == nil }
	if neg {
		for _, m := range st.ed.Log()[st.at:] {
			if fits(m) {
				st.fatal(ts, fmt.Errorf("unexpected: %s", m.Raw))
			}
		}
		return
	}
	i, m, err := st.ed.Wait(st.at, fits)
	if err != nil {
		st.fatal(ts, fmt.Errorf("expecting %s %s: %w", args[0], want, err))
	}
	st.at = i + 1
	if m.ID != nil {
		st.asked = m
	}
}

// cmdConfirm answers the next confirmation: confirm DECISION|JSON [WANT].
func cmdConfirm(ts *testscript.TestScript, _ bool, args []string) {
	cmdExpect(ts, false, append([]string{"ui/confirm"}, args[1:]...))
	answer := args[0]
	if !strings.HasPrefix(answer, "{") {
		answer = `{"decision":"` + answer + `"}`
	}
	cmdAnswer(ts, false, []string{answer})
}

// cmdAsk answers the next question: ask JSON [WANT].
func cmdAsk(ts *testscript.TestScript, _ bool, args []string) {
	cmdExpect(ts, false, append([]string{"ui/askUser"}, args[1:]...))
	cmdAnswer(ts, false, args[:1])
}

// cmdAnswer answers the daemon's last expected request: answer JSON.
func cmdAnswer(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	ts.Check(st.ed.Reply(st.asked.ID, st.params(ts, args)))
}

// cmdFail answers it with an error: fail CODE MESSAGE.
func cmdFail(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(st.ed.Fail(st.asked.ID, code, args[1]))
}

// cmdRaw writes bytes as they are: raw 'Go-quoted text'.
func cmdRaw(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	err := st.ed.Write([]byte(unquote(ts, st.expand(ts, strings.Join(args, " ")))))
	if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) { // the daemon may have read enough, and have ended
		ts.Check(err)
	}
}

// cmdFrame writes a text in a frame: frame TEXT.
func cmdFrame(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	ts.Check(st.ed.Write(st.ed.Frame([]byte(st.expand(ts, strings.Join(args, " "))))))
}

// cmdTool waits for the end of a tool call: tool NAME STATUS [TEXT], where the
// result must hold TEXT.
func cmdTool(ts *testscript.TestScript, _ bool, args []string) {
	want := map[string]any{"type": "tool_call", "tool": args[0], "status": args[1]}
	if len(args) > 2 {
		want["text"] = "~" + unquote(ts, strings.Join(args[2:], " "))
	}
	raw, err := json.Marshal(map[string]any{"update": want})
	ts.Check(err)
	cmdExpect(ts, false, []string{"session/update", string(raw)})
}

// cmdResults waits for the next ends of tool calls, whatever the tools, each of
// which must have this status and hold TEXT: results COUNT STATUS [TEXT].
func cmdResults(ts *testscript.TestScript, _ bool, args []string) {
	st := storyOf(ts)
	count, err := strconv.Atoi(args[0])
	ts.Check(err)
	want := map[string]any{"status": args[1]}
	if len(args) > 2 {
		want["text"] = "~" + unquote(ts, strings.Join(args[2:], " "))
	}
	raw, err := json.Marshal(map[string]any{"update": want})
	ts.Check(err)
	ended := func(m editor.Message) bool {
		for _, status := range []string{"completed", "failed"} {
			if editor.Fits(m.Params, json.RawMessage(`{"update":{"type":"tool_call","status":"`+status+`"}}`)) == nil {
				return true
			}
		}
		return false
	}
	for range count {
		i, m, err := st.ed.Wait(st.at, ended)
		if err == nil {
			err = editor.Fits(m.Params, raw)
		}
		if err != nil {
			st.fatal(ts, fmt.Errorf("expecting the end of a tool call: %w", err))
		}
		st.at = i + 1
	}
}

// cmdSaid checks all that the daemon has said so far: [!] said TEXT.
func cmdSaid(ts *testscript.TestScript, neg bool, args []string) {
	st := storyOf(ts)
	text := st.expand(ts, strings.Join(args, " "))
	said := false
	for _, m := range st.ed.Log() {
		said = said || strings.Contains(string(m.Raw), text)
	}
	if said == neg {
		st.fatal(ts, fmt.Errorf("%q was said: %v", text, said))
	}
}

// cmdStop shuts the daemon down as an editor does, and checks the model.
func cmdStop(ts *testscript.TestScript, _ bool, _ []string) {
	st := storyOf(ts)
	if st.acp { // the end of its input is the end
		ts.Check(st.ed.CloseInput())
	} else {
		st.result(ts, st.request(ts, "", "shutdown", json.RawMessage("{}")), nil)
		ts.Check(st.ed.Notify("exit", struct{}{}))
	}
	st.ended(ts, 0)
	st.checkModel(ts)
}

func (st *story) checkModel(ts *testscript.TestScript) {
	if st.model == nil {
		return
	}
	if errs := st.model.Errors(); len(errs) > 0 {
		ts.Fatalf("the model says: %s", strings.Join(errs, "\n"))
	}
	if left := st.model.Unused(); len(left) > 0 {
		ts.Fatalf("the model was not asked for: %s", strings.Join(left, "\n"))
	}
}

// cmdHangup closes the daemon's stdin.
func cmdHangup(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(storyOf(ts).ed.CloseInput())
}

// cmdExit waits for the end of the daemon: exit [CODE].
func cmdExit(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	if len(args) > 0 {
		var err error
		code, err = strconv.Atoi(args[0])
		ts.Check(err)
	}
	storyOf(ts).ended(ts, code)
}

// cmdKill kills the daemon with SIGKILL.
func cmdKill(ts *testscript.TestScript, _ bool, _ []string) {
	st := storyOf(ts)
	st.ed.Kill()
	st.ed = nil
}
