package wire

import (
	"bytes"
	"encoding/json"
)

// Message is one JSON-RPC message as it came in: a request (method and id), a
// notification (method) or a response (id).
type Message struct {
	id     json.RawMessage // exactly as sent; nil for a notification
	Method string
	Params json.RawMessage // nil if absent or null
	result json.RawMessage
	err    *Error
	batch  *batch // the batch that it came in, if any
}

// IsNotification reports whether nobody waits for an answer.
func (m *Message) IsNotification() bool { return m.Method != "" && m.id == nil }

func (m *Message) isResponse() bool { return m.Method == "" }

// parseMessage reads one message. An error is what the sender is told; it goes
// with the id if there is one that can be told.
func parseMessage(b []byte) (*Message, *Error, json.RawMessage) {
	invalid := func(text string, id json.RawMessage) (*Message, *Error, json.RawMessage) {
		return nil, Errorf(CodeInvalidRequest, "invalid_request", "%s", text), id
	}
	if t := bytes.TrimLeft(b, " \t\r\n"); len(t) == 0 || t[0] != '{' {
		if json.Valid(b) {
			return invalid("a message is a JSON object", nil)
		}
		return nil, Errorf(CodeParseError, "parse_error", "the message is not valid JSON"), nil
	}
	var w struct {
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return nil, Errorf(CodeParseError, "parse_error", "the message is not valid JSON: %v", err), nil
	}
	id := w.ID
	if !goodID(id) {
		id = nil
	}
	if string(w.JSONRPC) != `"2.0"` {
		return invalid(`"jsonrpc" must be "2.0"`, id)
	}
	m := &Message{id: id, result: w.Result}
	switch {
	case w.Method != nil:
		if json.Unmarshal(w.Method, &m.Method) != nil || m.Method == "" {
			return invalid(`"method" must be a string`, id)
		}
		if w.ID != nil && id == nil {
			return invalid(`"id" must be a string or a number`, nil)
		}
		if w.Params != nil && string(w.Params) != "null" {
			m.Params = w.Params
		}
	case w.Result == nil && w.Error == nil:
		return invalid("the message is neither a request nor a response", id)
	case w.Error != nil && string(w.Error) != "null":
		m.err = &Error{}
		if json.Unmarshal(w.Error, m.err) != nil {
			m.err = Errorf(CodeInternalError, "internal", "an error that cannot be read: %.200s", w.Error)
		}
	case w.Result == nil:
		m.result = json.RawMessage("null")
	}
	return m, nil, id
}

// goodID reports whether an id is one that JSON-RPC allows in a request.
func goodID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// replyFrame encodes a response. result must be encodable.
func replyFrame(id json.RawMessage, result any, werr *Error) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	var body []byte
	var err error
	name := "result"
	if werr == nil {
		if body, err = json.Marshal(result); err != nil {
			werr = Errorf(CodeInternalError, "internal", "the result cannot be encoded: %v", err)
		}
	}
	if werr != nil {
		name = "error"
		body, _ = json.Marshal(werr) // strings and numbers only
	}
	b := make([]byte, 0, len(body)+len(id)+40)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"`...)
	b = append(b, name...)
	b = append(b, `":`...)
	b = append(b, body...)
	return append(b, '}')
}

// notificationFrame encodes a notification.
func notificationFrame(method string, params any) ([]byte, error) {
	body, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(body)+64)
	b = append(b, `{"jsonrpc":"2.0","method":`...)
	b = AppendString(b, method)
	b = append(b, `,"params":`...)
	b = append(b, body...)
	return append(b, '}'), nil
}
