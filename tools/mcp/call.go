package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentd-dev/agentd/tools"
)

const (
	// mostDescription bounds what a server may say of a tool, in bytes.
	mostDescription = 4 << 10
	// mostProgress is how many times its time-out a call may take that shows
	// progress.
	mostProgress = 10
	// progressPause is the least time between two lines of progress; what comes
	// sooner is old in a moment.
	progressPause = 50 * time.Millisecond
	// startWait is how long a call waits for a server that is starting.
	startWait = 10 * time.Second
)

// tool makes a tool of a server's. A server's word for its tools counts only if
// the user trusts it; a tool that says that it destroys something is believed.
func (s *Server) tool(t *sdk.Tool) (*tools.Tool, error) {
	if t.Name == "" {
		return nil, errors.New("it has no name")
	}
	schema, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	a := t.Annotations
	if a == nil {
		a = &sdk.ToolAnnotations{}
	}
	title := t.Title
	if title == "" {
		title = a.Title
	}
	if title == "" {
		title = t.Name
	}
	made := tools.Tool{
		Name: toolName(s.cfg.Name, t.Name), Title: fmt.Sprintf("%s (%s)", shown(title), shown(s.cfg.Name)),
		Description: description(t.Description, s.cfg.Name),
		Kind:        tools.KindOther, Level: tools.Sensitive,
		Traits: tools.Traits{Destructive: a.DestructiveHint != nil && *a.DestructiveHint && !a.ReadOnlyHint},
	}
	if s.cfg.Trusted && a.ReadOnlyHint {
		made.Kind, made.Level = tools.KindRead, tools.Safe
		made.Traits = tools.Traits{ReadOnly: true, Concurrent: true}
	}
	remote := &remoteTool{s, t.Name, made.Title, made.Traits.Destructive, sha256.Sum256(fmt.Appendf(nil, "%q %q %s %t", title, t.Description, schema, made.Traits.Destructive))}
	return tools.NewForeign(made, schema, tools.Handler[json.RawMessage]{Plan: remote.plan, Run: remote.run})
}

func description(text, server string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) > mostDescription {
		text = strings.ToValidUTF8(text[:mostDescription], "") + "…"
	}
	if text == "" {
		text = "A tool of the MCP server " + shown(server) + "."
	}
	return text
}

// remoteTool is a tool by the name that its server has for it.
type remoteTool struct {
	server      *Server
	name        string
	title       string
	destructive bool
	says        [sha256.Size]byte // what the server says of it
}

// plan says what is about to be called. Grants go by the server's configuration,
// the tool's own name and what the server said of it: the name that the model uses
// proves nothing, and a tool that has become another one is asked about again.
func (r *remoteTool) plan(_ context.Context, _ *tools.Call, _ *json.RawMessage) (*tools.Plan, error) {
	server := fmt.Sprintf("mcp\x00%x", r.server.key)
	p := &tools.Plan{
		Title:  r.title,
		Grants: []tools.Grant{{ID: fmt.Sprintf("%s\x00%s\x00%x", server, r.name, r.says), Label: fmt.Sprintf("Calls of %s on the MCP server %s", shown(r.name), shown(r.server.cfg.Name))}},
		// A rule goes by names, which a workspace can choose as it likes.
		Loose: r.server.cfg.Source == FromWorkspace,
	}
	if r.destructive {
		p.Level, p.Reason = tools.Dangerous, "its server says that it may destroy something"
	} else {
		p.Grants = append(p.Grants, tools.Grant{ID: server, Label: fmt.Sprintf("All tools of the MCP server %s", shown(r.server.cfg.Name))})
	}
	return p, nil
}

// run calls the tool, once: a call that got lost is never repeated.
func (r *remoteTool) run(ctx context.Context, c *tools.Call, args *json.RawMessage) (*tools.Result, error) {
	l, err := r.server.ready(ctx)
	if err != nil {
		return nil, err
	}
	limit := r.server.cfg.timeout()
	callCtx, cancel := context.WithTimeoutCause(ctx, mostProgress*limit, errSilent)
	defer cancel()
	callCtx, expire := context.WithCancelCause(callCtx)
	defer expire(nil)
	timer := time.AfterFunc(limit, func() { expire(errSilent) })
	defer timer.Stop()
	params := &sdk.CallToolParams{Name: r.name, Arguments: *args}
	var told time.Time
	token, done := r.server.follow(func(p *sdk.ProgressNotificationParams) { // one at a time
		timer.Reset(limit)
		if time.Since(told) >= progressPause {
			told = time.Now()
			c.Output(progressLine(p))
		}
	})
	defer done()
	params.SetProgressToken(token)
	res, err := l.session.CallTool(callCtx, params)
	if err != nil {
		return r.failed(ctx, callCtx, l, err)
	}
	r.server.settle(ctx) // it may have said, before it answered, that its tools have changed
	return result(res), nil
}

var errSilent = errors.New("the server did not answer in time")

// failed says what a call without a result means, for the model and the breaker.
func (r *remoteTool) failed(ctx, callCtx context.Context, l *link, err error) (*tools.Result, error) {
	if ctx.Err() != nil {
		return nil, context.Canceled
	}
	name := shown(r.server.cfg.Name)
	var we *jsonrpc.Error
	te := &tools.Error{Code: tools.CodeExecution, Err: err}
	switch {
	case errors.Is(context.Cause(callCtx), errSilent):
		te.Code = tools.CodeTimeout
		te.Message = fmt.Sprintf("the MCP server %s did not answer within %s; the call was cancelled, but may have had an effect", name, r.server.cfg.timeout())
		te.Hint = "Look whether it did before you call it again."
	case errors.As(err, &we):
		te.Message = fmt.Sprintf("the MCP server %s answered with error %d: %s", name, we.Code, we.Message)
		te.Hint = "Correct the arguments, or go on without this tool."
		res := tools.ErrorResult(te)
		res.Fault = we.Code != jsonrpc.CodeInvalidParams
		return res, nil
	default:
		text := "the connection was lost"
		if fate := l.child.fate(callCtx); fate != "" {
			text = fate
		}
		te.Code = tools.CodeUnavailable
		te.Message = fmt.Sprintf("the MCP server %s did not finish the call: %s. It is not known what the call has done; it was not repeated", name, text)
		te.Hint = "Look whether it did something before you call it again. The server is being restarted."
		if stderr := l.stderr(); stderr != "" {
			te.Message += "\nThe end of what it wrote to stderr:\n" + lastLines(stderr, 1000)
		}
	}
	res := tools.ErrorResult(te)
	res.Fault = true
	return res, nil
}

// ready gives the connection, and waits for a server that is starting.
func (s *Server) ready(ctx context.Context) (*link, error) {
	waitCtx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	s.wait(waitCtx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link != nil {
		return s.link, nil
	}
	e := &tools.Error{Code: tools.CodeUnavailable, Message: fmt.Sprintf("the MCP server %s is not running", shown(s.cfg.Name)), Hint: "Go on without it, or tell the user, who can start it with \"/mcp restart " + s.cfg.Name + "\"."}
	if s.why != "" {
		e.Message += ": " + s.why
	}
	if s.state == Starting || s.again {
		e.Hint = "It is being started; try again in a moment, or go on without it."
	}
	return nil, e
}

// follow has the progress of a call told to f, until done is called.
func (s *Server) follow(f func(*sdk.ProgressNotificationParams)) (token string, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens++
	token = fmt.Sprintf("call-%d", s.tokens)
	if s.waiting == nil {
		s.waiting = map[string]func(*sdk.ProgressNotificationParams){}
	}
	s.waiting[token] = f
	return token, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting, token)
	}
}

// progress is told by the connection. It is told nothing of calls that are over.
func (s *Server) progress(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	token, _ := r.Params.ProgressToken.(string)
	s.mu.Lock()
	f := s.waiting[token]
	s.mu.Unlock()
	if f != nil {
		f(r.Params)
	}
}

// progressLine shows progress to the person.
func progressLine(p *sdk.ProgressNotificationParams) string {
	line := fmt.Sprintf("%g", p.Progress)
	if p.Total > 0 {
		line += fmt.Sprintf(" of %g", p.Total)
	}
	if p.Message != "" {
		line += ": " + shown(p.Message)
	}
	return line + "\n"
}
