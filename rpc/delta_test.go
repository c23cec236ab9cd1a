package rpc

import (
	"encoding/json"
	"testing"
)

func TestDelta(t *testing.T) {
	d := &delta{session: "s", turn: "t1", kind: "message_delta", idName: "messageId", id: "m", seq: 7, text: []byte("a\"\\\n\t\x01<é🙂\xff")}
	next := &delta{session: "s", turn: "t1", kind: "message_delta", idName: "messageId", id: "m", seq: 8, text: []byte("b")}
	if _, ok := d.Join(next); !ok {
		t.Fatal("pieces of one message do not join")
	}
	other := *next
	other.id = "n"
	if _, ok := d.Join(&other); ok {
		t.Fatal("pieces of two messages join")
	}
	var have struct {
		Params struct {
			SessionID, TurnID string
			Seq               int
			Update            struct{ Type, MessageID, Text string }
		}
	}
	if err := json.Unmarshal(d.Encode(nil), &have); err != nil {
		t.Fatal(err)
	}
	p := have.Params
	if p.SessionID != "s" || p.TurnID != "t1" || p.Seq != 8 || p.Update.Type != "message_delta" || p.Update.MessageID != "m" || p.Update.Text != "a\"\\\n\t\x01<é🙂\uFFFDb" {
		t.Errorf("%+v", p)
	}
}
