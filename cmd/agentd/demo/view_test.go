package demo

import (
	"bytes"
	"testing"
)

// testScreen writes to a buffer; width 0 is that of a pipe.
func testScreen(width int) (*screen, *bytes.Buffer) {
	var b bytes.Buffer
	return &screen{out: &b, width: func() int { return width }, marks: signs}, &b
}

// TestHeld keeps what happens off the screen while a question is on it.
func TestHeld(t *testing.T) {
	s, out := testScreen(0)
	v := newView(s, "/")
	v.update([]byte(`{"update":{"type":"message_delta","messageId":"m","text":"before"}}`))
	release := v.hold()
	s.write("question? ")
	v.update([]byte(`{"update":{"type":"tool_call","toolCallId":"c","tool":"x","title":"after","status":"completed"}}`))
	s.typed("yes", false)
	release()
	v.settle()
	if have, want := out.String(), "\nbefore\nquestion? yes\n  ✓ after\n"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

// TestUpdates shows each kind of update; what is not known is passed over.
func TestUpdates(t *testing.T) {
	s, out := testScreen(60)
	v := newView(s, "/w")
	for _, u := range []string{
		`{"type":"thought_delta","messageId":"m","text":"hm"}`,
		`{"type":"plan","entries":[{"content":"one","status":"completed"},{"content":"two","status":"in_progress"},{"content":"three","status":"pending"}]}`,
		`{"type":"notice","level":"warning","kind":"retry","message":"again"}`,
		`{"type":"something_new"}`, `{"type":7}`, `7`,
		`{"type":"tool_call","toolCallId":"r","tool":"run_command","kind":"execute","title":"ls -l","status":"in_progress"}`,
		`{"type":"tool_output_delta","toolCallId":"r","text":"\u001b[31mred\u001b[0m\u0007\n"}`,
		`{"type":"tool_call","toolCallId":"r","tool":"run_command","status":"completed","text":"red\n[exit code 2, 0.1 s]","stats":{"elapsedMs":1234}}`,
		`{"type":"tool_call","toolCallId":"e","tool":"edit_file","title":"Edit a","status":"failed","error":{"code":"CONFLICT","message":"changed\nmore"}}`,
		`{"type":"tool_output_delta","toolCallId":"none","text":"lost\n"}`,
	} {
		v.update([]byte(`{"update":` + u + `}`))
	}
	want := `
hm
  ✓ one
  ▸ two
  □ three
  ! again
  ▸ ls -l
    red^G
  ✗ ls -l  exit code 2, 1.2 s
  ✗ Edit a
    changed
`
	if out.String() != want {
		t.Errorf("have\n%s\nwant\n%s", out, want)
	}
}
