package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// replayVersion is the version of the replay format.
const replayVersion = 1

// replayHeader is the first line of a replay. The lines after it are requests,
// each followed by the lines of its reply; blank lines, lines that start with #
// and further headers (of recordings put together) are ignored.
//
//	{"agentd":"replay","version":1,"name":"demo","note":"what it shows"}
//	{"request":{"user":"fix the test"}}
//	{"thought":"..."}
//	{"text":"I'll look at it.\n","ms":800}
//	{"call":{"name":"read_file","arguments":{"path":"a.go"}}}
//	{"usage":{"inputTokens":10,"outputTokens":5}}
//	{"finish":"tool_calls"}
type replayHeader struct {
	Agentd  string `json:"agentd"`
	Version int    `json:"version"`
	Name    string `json:"name,omitempty"`
	Note    string `json:"note,omitempty"`
}

// replayLine is one line after the header; one of the fields is set, besides
// MS, When and Forever.
type replayLine struct {
	Request *replayRequest `json:"request,omitempty"`
	When    *replayWhen    `json:"when,omitempty"`
	Forever bool           `json:"forever,omitempty"`

	Text    string       `json:"text,omitempty"`
	Thought string       `json:"thought,omitempty"`
	Call    *replayCall  `json:"call,omitempty"`
	Usage   *Usage       `json:"usage,omitempty"`
	Finish  string       `json:"finish,omitempty"`
	Error   *replayError `json:"error,omitempty"`
	// MS is how long the line takes at real speed: a text is spread over it
	// word by word, anything else waits for it.
	MS int `json:"ms,omitempty"`
}

// replayRequest tells what a request must look like to get the reply. What is
// absent is not compared.
type replayRequest struct {
	// Conversation is a part of the first user message: the reply belongs to
	// conversations that have it. Replies without it belong to all the others.
	Conversation string `json:"conversation,omitempty"`
	// Step is the number of assistant messages in the history, plus one.
	Step int `json:"step,omitempty"`
	// User is the last message if it is of the user; a recorder cuts it.
	User string `json:"user,omitempty"`
	// Results are the tools whose results come last.
	Results []string `json:"results,omitempty"`
	// Messages and Tools (a hash of the tools' names) are for a reader: they
	// are not compared, since they change with agentd itself.
	Messages int    `json:"messages,omitempty"`
	Tools    string `json:"tools,omitempty"`
}

// replayWhen chooses between replies: one whose condition does not hold is
// passed over.
type replayWhen struct {
	// ToolResultContains is a part of one of the last tool results.
	ToolResultContains string `json:"toolResultContains,omitempty"`
	// Denied says whether one of the calls that were answered last was refused.
	Denied *bool `json:"denied,omitempty"`
	// UserContains is a part of the last user message.
	UserContains string `json:"userContains,omitempty"`
}

type replayCall struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
	// Arguments is an object for readability, or a string that is sent as it is.
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

type replayError struct {
	Kind         ErrorKind `json:"kind"`
	Message      string    `json:"message"`
	RetryAfterMS int       `json:"retryAfterMs,omitempty"`
}

// replayBlock is a request and its reply.
type replayBlock struct {
	line    int
	request replayRequest
	when    *replayWhen
	forever bool
	reply   []replayLine
}

// maxReplayLine bounds a line of a replay.
const maxReplayLine = 64 << 20

// parseReplay reads a replay.
func parseReplay(r io.Reader) (header replayHeader, blocks []*replayBlock, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxReplayLine)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		if header.Agentd == "" || bytes.HasPrefix(text, []byte(`{"agentd":`)) {
			var h replayHeader
			if err := readLine(text, &h); err != nil || h.Agentd != "replay" {
				return header, nil, fmt.Errorf(`line %d: a replay starts with {"agentd":"replay","version":%d}`, n, replayVersion)
			}
			if h.Version != replayVersion {
				return header, nil, fmt.Errorf("line %d: replay version %d is not known; this agentd reads %d", n, h.Version, replayVersion)
			}
			if header.Agentd == "" {
				header = h
			}
			continue
		}
		var l replayLine
		if err := readLine(text, &l); err != nil {
			return header, nil, fmt.Errorf("line %d: %w", n, err)
		}
		if l.Request != nil {
			blocks = append(blocks, &replayBlock{line: n, request: *l.Request, when: l.When, forever: l.Forever})
			continue
		}
		if len(blocks) == 0 {
			return header, nil, fmt.Errorf("line %d: a reply needs a request line before it", n)
		}
		if err := l.check(); err != nil {
			return header, nil, fmt.Errorf("line %d: %w", n, err)
		}
		b := blocks[len(blocks)-1]
		b.reply = append(b.reply, l)
	}
	if err := lines.Err(); err != nil {
		return header, nil, err
	}
	if header.Agentd == "" {
		return header, nil, errors.New("the file is empty")
	}
	for _, b := range blocks {
		if len(b.reply) == 0 {
			return header, nil, fmt.Errorf("line %d: this request has no reply", b.line)
		}
	}
	return header, blocks, nil
}

// readLine decodes a line; a field that is not known is a mistake.
func readLine(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// check says what is wrong with a line of a reply.
func (l replayLine) check() error {
	if l.When != nil || l.Forever {
		return errors.New("when and forever belong to the request line")
	}
	if l.Text == "" && l.Thought == "" && l.Call == nil && l.Usage == nil && l.Finish == "" && l.Error == nil {
		return errors.New("the line says nothing")
	}
	if l.Call != nil && l.Call.Name == "" {
		return errors.New("the call has no name")
	}
	return nil
}

// arguments gives the text of the call's arguments.
func (c *replayCall) arguments() string {
	if isString(c.Arguments) {
		return unquote(c.Arguments)
	}
	return string(c.Arguments)
}

func (e *replayError) error() *Error {
	return &Error{Kind: e.Kind, Message: e.Message, RetryAfter: time.Duration(e.RetryAfterMS) * time.Millisecond}
}
