// Package editor is the other end of the wire for tests: it starts an agentd
// process and talks to it as an editor would, byte by byte if need be.
package editor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Patience is how long Wait waits before it gives up. Tests assert no times;
// this only keeps a broken run from hanging.
const Patience = 60 * time.Second

// Message is a message from the daemon. In a batch each answer is one.
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
	// Raw is the whole frame.
	Raw json.RawMessage `json:"-"`
}

// Editor is a running daemon and the pipes to it.
type Editor struct {
	Cmd   *exec.Cmd
	lines bool
	stdin io.WriteCloser

	mu      sync.Mutex
	news    *sync.Cond
	log     []Message
	badness error // what was on stdout and is no frame
	eof     bool
	stderr  bytes.Buffer
	exited  chan struct{}
	waitErr error
}

// Start starts the daemon. Lines chooses the framing; the arguments must say
// the same.
func Start(cmd *exec.Cmd, lines bool) (*Editor, error) {
	e := &Editor{Cmd: cmd, lines: lines, exited: make(chan struct{})}
	e.news = sync.NewCond(&e.mu)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	e.stdin = stdin
	// Not StdoutPipe: Wait would close it under the reader.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = w
	cmd.Stderr = &lockedWriter{e}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w.Close()
	go e.read(bufio.NewReader(r))
	go func() {
		e.waitErr = cmd.Wait()
		close(e.exited)
	}()
	return e, nil
}

type lockedWriter struct{ e *Editor }

func (w *lockedWriter) Write(b []byte) (int, error) {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	return w.e.stderr.Write(b)
}

// read gathers frames until the end of stdout.
func (e *Editor) read(r *bufio.Reader) {
	for {
		raw, err := e.frame(r)
		e.mu.Lock()
		switch {
		case errors.Is(err, io.EOF):
			e.eof = true
		case err != nil:
			e.badness, e.eof = err, true
		default:
			e.note(raw)
		}
		over := e.eof
		e.news.Broadcast()
		e.mu.Unlock()
		if over {
			_, _ = io.Copy(io.Discard, r)
			return
		}
	}
}

func (e *Editor) note(raw []byte) {
	if len(raw) > 0 && raw[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err == nil && len(list) > 0 {
			for _, one := range list {
				e.note(one)
			}
			return
		}
	}
	m := Message{Raw: raw}
	if err := json.Unmarshal(raw, &m); err != nil {
		e.badness = fmt.Errorf("a frame that is no JSON: %.200q", raw)
		return
	}
	e.log = append(e.log, m)
}

func (e *Editor) frame(r *bufio.Reader) ([]byte, error) {
	if e.lines {
		l, err := r.ReadBytes('\n')
		if err != nil && len(l) > 0 {
			return nil, fmt.Errorf("stdout ends in a broken line %.200q", l)
		}
		return bytes.TrimSuffix(l, []byte("\n")), err
	}
	head, err := r.ReadString('\n')
	if err != nil && head == "" {
		return nil, err
	}
	num, ok := strings.CutPrefix(head, "Content-Length: ")
	n, err := strconv.Atoi(strings.TrimSuffix(num, "\r\n"))
	if !ok || err != nil {
		return nil, fmt.Errorf("stdout has %.200q where a header should be", head)
	}
	if blank, err := r.ReadString('\n'); err != nil || blank != "\r\n" {
		return nil, fmt.Errorf("stdout has %.200q where a blank line should be", blank)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, fmt.Errorf("a frame breaks off: %w", err)
	}
	return b, nil
}

// Write writes bytes as they are.
func (e *Editor) Write(b []byte) error {
	_, err := e.stdin.Write(b)
	return err
}

// Frame gives a message its frame.
func (e *Editor) Frame(b []byte) []byte {
	if e.lines {
		return append(b[:len(b):len(b)], '\n')
	}
	return append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(b)), b...)
}

// Send sends any value as one message.
func (e *Editor) Send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return e.Write(e.Frame(b))
}

// Request sends a request.
func (e *Editor) Request(id any, method string, params any) error {
	return e.Send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) error {
	return e.Send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Reply answers a request of the daemon's.
func (e *Editor) Reply(id json.RawMessage, result any) error {
	return e.Send(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

// Fail answers a request of the daemon's with an error.
func (e *Editor) Fail(id json.RawMessage, code int, message string) error {
	return e.Send(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
}

// Wait waits for a message at or after from that fits, and gives its place.
func (e *Editor) Wait(from int, fits func(Message) bool) (int, Message, error) {
	timer := time.AfterFunc(Patience, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.news.Broadcast()
	})
	defer timer.Stop()
	deadline := time.Now().Add(Patience)
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := from; ; {
		for ; i < len(e.log); i++ {
			if fits(e.log[i]) {
				return i, e.log[i], nil
			}
		}
		switch {
		case e.badness != nil:
			return 0, Message{}, e.badness
		case e.eof:
			return 0, Message{}, errors.New("the daemon has ended its output")
		case time.Now().After(deadline):
			return 0, Message{}, errors.New("it did not come")
		}
		e.news.Wait()
	}
}

// Call sends a request and waits for its result.
func (e *Editor) Call(id any, method string, params, result any) error {
	if err := e.Request(id, method, params); err != nil {
		return err
	}
	want, err := json.Marshal(id)
	if err != nil {
		return err
	}
	_, m, err := e.Wait(0, func(m Message) bool { return m.Method == "" && bytes.Equal(m.ID, want) })
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if m.Error != nil {
		return fmt.Errorf("%s: %s", method, m.Error)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// Log gives all messages so far.
func (e *Editor) Log() []Message {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Message(nil), e.log...)
}

// Stderr gives what the daemon has logged.
func (e *Editor) Stderr() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stderr.String()
}

// CloseInput ends the daemon's stdin.
func (e *Editor) CloseInput() error { return e.stdin.Close() }

// Exit waits for the end of the process and gives its exit code; -1 if a
// signal ended it. An error is an end that did not come, or something on
// stdout that was no frame.
func (e *Editor) Exit() (int, error) {
	select {
	case <-e.exited:
	case <-time.After(Patience):
		return 0, errors.New("the daemon does not end")
	}
	e.mu.Lock()
	for !e.eof {
		e.news.Wait()
	}
	err := e.badness
	e.mu.Unlock()
	return e.Cmd.ProcessState.ExitCode(), err
}

// Kill ends the daemon at once.
func (e *Editor) Kill() {
	_ = e.Cmd.Process.Kill()
	<-e.exited
}
