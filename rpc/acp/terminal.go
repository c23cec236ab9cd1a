package acp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// terminalBytes is how much output the client is asked to keep.
	terminalBytes = 1 << 20
	// terminalTime bounds the calls that do not wait for the command.
	terminalTime = 20 * time.Second
	// cancelTime bounds them when the person waits for the end of the turn.
	cancelTime = 400 * time.Millisecond
)

type createParams struct {
	SessionID string     `json:"sessionId"`
	Command   string     `json:"command"`
	Args      []string   `json:"args"`
	Env       []variable `json:"env"`
	Cwd       string     `json:"cwd"`
	Limit     int        `json:"outputByteLimit"`
}

// variable is one of an environment.
type variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type createAnswer struct {
	ID   string          `json:"terminalId"`
	Meta json.RawMessage `json:"_meta"`
}

type terminalParams struct {
	SessionID string `json:"sessionId"`
	ID        string `json:"terminalId"`
}

type exitStatus struct {
	Code   *int            `json:"exitCode"`
	Signal *string         `json:"signal"`
	Meta   json.RawMessage `json:"_meta"`
}

type outputAnswer struct {
	Output    *string         `json:"output"`
	Truncated bool            `json:"truncated"`
	Status    json.RawMessage `json:"exitStatus"`
	Meta      json.RawMessage `json:"_meta"`
}

// RunInTerminal implements agent.Terminals.
func (sess *session) RunInTerminal(ctx context.Context, c tools.TerminalCommand) (*tools.TerminalEnd, error) {
	t := terminalParams{SessionID: sess.core.ID}
	p := createParams{SessionID: t.SessionID, Command: c.Program, Args: c.Args, Cwd: c.Cwd, Limit: terminalBytes, Env: []variable{}}
	for _, kv := range c.Env {
		name, v, _ := strings.Cut(kv, "=")
		p.Env = append(p.Env, variable{name, v})
	}
	for _, name := range sess.srv.cfg.SecretNames {
		p.Env = append(p.Env, variable{name, ""})
	}
	var err error
	if t.ID, err = sess.createTerminal(ctx, p); err != nil {
		return nil, err
	}
	sess.showTerminal(c.CallID, t.ID)
	e := &tools.TerminalEnd{ExitCode: -1}
	var status exitStatus
	waiting, stop := context.WithTimeout(ctx, c.Limit)
	err = sess.srv.conn.Call(waiting, "terminal/wait_for_exit", t, &status)
	stop()
	patience := terminalTime
	switch {
	case ctx.Err() != nil:
		e.Cancelled, patience = true, cancelTime
	case errors.Is(err, context.DeadlineExceeded):
		e.TimedOut = true
	}
	// From here on the turn may be over: what was started is ended all the same.
	after := context.WithoutCancel(ctx)
	if err != nil {
		_ = sess.quickly(after, patience, "terminal/kill", t, &terminalDone{}) // release ends it, too
	}
	var out outputAnswer
	outErr := sess.quickly(after, patience, "terminal/output", t, &out)
	_ = sess.quickly(after, patience, "terminal/release", t, &terminalDone{}) // what the client keeps after that is its own
	switch {
	case err != nil && !e.Cancelled && !e.TimedOut:
		return nil, err
	case e.Cancelled:
	case outErr != nil:
		return nil, outErr
	case out.Output == nil:
		return nil, errNoAnswer
	}
	if out.Output != nil {
		e.Output, e.Truncated = *out.Output, out.Truncated
	}
	if status.Code != nil {
		e.ExitCode = *status.Code
	}
	if status.Signal != nil {
		e.Signal = *status.Signal
	}
	return e, nil
}

// createTerminal starts the command. The client may be at it when the turn is
// cancelled, or be slow: what it then starts is ended as soon as it has a name.
func (sess *session) createTerminal(ctx context.Context, p createParams) (string, error) {
	type answer struct {
		id  string
		err error
	}
	made := make(chan answer)
	asking, given := context.WithTimeout(ctx, terminalTime)
	defer given()
	go func() {
		var a createAnswer
		err := sess.srv.conn.Call(context.WithoutCancel(ctx), "terminal/create", p, &a)
		if err == nil && a.ID == "" {
			err = errNoAnswer
		}
		select {
		case made <- answer{a.ID, err}:
		case <-asking.Done():
			if err == nil {
				t := terminalParams{p.SessionID, a.ID}
				after := context.WithoutCancel(ctx)
				_ = sess.quickly(after, terminalTime, "terminal/kill", t, &terminalDone{}) // release ends it, too
				_ = sess.quickly(after, terminalTime, "terminal/release", t, &terminalDone{})
			}
		}
	}()
	select {
	case a := <-made:
		return a.id, a.err
	case <-asking.Done():
		return "", asking.Err()
	}
}

type terminalDone struct {
	Meta json.RawMessage `json:"_meta"`
}

// quickly is a call whose answer needs no waiting.
func (sess *session) quickly(ctx context.Context, most time.Duration, method string, params, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return sess.srv.conn.Call(ctx, method, params, answer)
}

// showTerminal puts the terminal into the call whose command runs in it.
func (sess *session) showTerminal(callID, id string) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	if c := sess.calls[callID]; c != nil {
		c.terminal = id
		sess.send(toolUpdate{Update: "tool_call_update", ID: callID, Content: []any{shownTerminal{"terminal", id}}})
	}
}
