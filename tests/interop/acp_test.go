// Package interop drives agentd with clients that others wrote: here with the Go
// SDK of the Agent Client Protocol; the .mjs files use clients in JavaScript.
package interop

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/tests/fakemodel"
	"github.com/coder/acp-go-sdk"
)

// person is the client: what it has seen, and how it answers.
type person struct {
	permit func(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error)

	mu      sync.Mutex
	updates []acp.SessionUpdate
	asked   []acp.RequestPermissionRequest
	reads   []string
}

func (p *person) RequestPermission(ctx context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	p.mu.Lock()
	p.asked = append(p.asked, r)
	p.mu.Unlock()
	return p.permit(ctx, r)
}

func (p *person) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.updates = append(p.updates, n.Update)
	return nil
}

func (p *person) ReadTextFile(_ context.Context, r acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	p.mu.Lock()
	p.reads = append(p.reads, r.Path)
	p.mu.Unlock()
	b, err := os.ReadFile(r.Path)
	return acp.ReadTextFileResponse{Content: string(b)}, err
}

func (p *person) WriteTextFile(_ context.Context, r acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	return acp.WriteTextFileResponse{}, os.WriteFile(r.Path, []byte(r.Content), 0o644)
}

var errNoTerminal = errors.New("this client has no terminal")

func (p *person) CreateTerminal(context.Context, acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	return acp.CreateTerminalResponse{}, errNoTerminal
}

func (p *person) KillTerminal(context.Context, acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	return acp.KillTerminalResponse{}, errNoTerminal
}

func (p *person) TerminalOutput(context.Context, acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	return acp.TerminalOutputResponse{}, errNoTerminal
}

func (p *person) ReleaseTerminal(context.Context, acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	return acp.ReleaseTerminalResponse{}, errNoTerminal
}

func (p *person) WaitForTerminalExit(context.Context, acp.WaitForTerminalExitRequest) (acp.WaitForTerminalExitResponse, error) {
	return acp.WaitForTerminalExitResponse{}, errNoTerminal
}

func (p *person) UnstableCreateElicitation(_ context.Context, r acp.UnstableCreateElicitationRequest) (acp.UnstableCreateElicitationResponse, error) {
	if r.Form == nil {
		return acp.UnstableCreateElicitationResponse{Cancel: &acp.UnstableCreateElicitationCancel{Action: "cancel"}}, nil
	}
	return acp.UnstableCreateElicitationResponse{Accept: &acp.UnstableCreateElicitationAccept{Action: "accept",
		Content: map[string]any{"q1": "o2"}}}, nil
}

func (p *person) UnstableCompleteElicitation(context.Context, acp.UnstableCompleteElicitationNotification) error {
	return nil
}

// choose answers with the first option of a kind.
func choose(kind acp.PermissionOptionKind) func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	return func(_ context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		for _, o := range r.Options {
			if o.Kind == kind {
				return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(o.OptionId)}, nil
			}
		}
		return acp.RequestPermissionResponse{}, errors.New("no such option")
	}
}

// said joins what the agent and the person have said.
func (p *person) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out strings.Builder
	for _, u := range p.updates {
		switch {
		case u.UserMessageChunk != nil && u.UserMessageChunk.Content.Text != nil:
			out.WriteString("<" + u.UserMessageChunk.Content.Text.Text + ">")
		case u.AgentMessageChunk != nil && u.AgentMessageChunk.Content.Text != nil:
			out.WriteString(u.AgentMessageChunk.Content.Text.Text)
		}
	}
	return out.String()
}

// daemon is a running `agentd acp` with a client on it.
type daemon struct {
	*acp.ClientSideConnection
	end func()
}

func start(ctx context.Context, t *testing.T, binary string, env []string, p *person) daemon {
	t.Helper()
	cmd := exec.Command(binary, "acp")
	cmd.Env, cmd.Stderr = env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	c := acp.NewClientSideConnection(p, in, out)
	r, err := c.Initialize(ctx, acp.InitializeRequest{ProtocolVersion: acp.ProtocolVersionNumber, ClientCapabilities: acp.ClientCapabilities{
		Fs:          acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true},
		Elicitation: &acp.ElicitationCapabilities{Form: &acp.ElicitationFormCapabilities{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.ProtocolVersion != 1 || !r.AgentCapabilities.LoadSession {
		t.Errorf("%+v", r)
	}
	return daemon{c, func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}}
}

// TestGoSDK covers prompt, stream, allow, reject, cancel while a question is
// open, load and elicitation.
func TestGoSDK(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	dir := t.TempDir()
	binary := filepath.Join(dir, "agentd")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/agentd-dev/agentd/cmd/agentd").CombinedOutput(); err != nil {
		t.Fatalf("building agentd: %v\n%s", err, out)
	}
	script, err := os.ReadFile("acp-script.txt")
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.New(string(script))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	env := append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"BASE_URL="+model.URL, "MODEL=fake", "MODEL_API_KEY=fake-key-0123456789abcdef")
	ws := filepath.Join(dir, "ws")
	file := filepath.Join(ws, "a.txt")
	if err := errors.Join(os.Mkdir(ws, 0o755), os.WriteFile(file, []byte("one\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	content := func(want string) {
		t.Helper()
		if b, err := os.ReadFile(file); err != nil || string(b) != want {
			t.Errorf("the file has %q (%v), not %q", b, err, want)
		}
	}

	answers := []acp.PermissionOptionKind{acp.PermissionOptionKindAllowOnce, acp.PermissionOptionKindRejectOnce}
	asked := make(chan struct{})
	p := &person{permit: func(ctx context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		if len(answers) == 0 { // it stays open until the turn is cancelled
			close(asked)
			<-ctx.Done()
			return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}, nil
		}
		kind := answers[0]
		answers = answers[1:]
		return choose(kind)(ctx, r)
	}}
	d := start(ctx, t, binary, env, p)
	made, err := d.NewSession(ctx, acp.NewSessionRequest{Cwd: ws, McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	prompt := func(d daemon, text string, want acp.StopReason) {
		t.Helper()
		r, err := d.Prompt(ctx, acp.PromptRequest{SessionId: made.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock(text)}})
		if err != nil || r.StopReason != want {
			t.Fatalf("%s: %v %v", text, r.StopReason, err)
		}
	}
	prompt(d, "first", acp.StopReasonEndTurn)
	content("eins\n")
	if have := p.said(); have != "I look at the file.Now I change it, piece by piece.Done." {
		t.Errorf("said: %q", have)
	}
	if c := p.asked[0].ToolCall.Content; len(c) != 1 || c[0].Diff == nil || c[0].Diff.NewText != "eins\n" {
		t.Errorf("the first question: %+v", c)
	}
	if len(p.reads) == 0 || p.reads[0] != file {
		t.Errorf("the editor was asked for %v", p.reads)
	}
	go func() {
		<-asked
		_ = d.Cancel(ctx, acp.CancelNotification{SessionId: made.SessionId})
	}()
	prompt(d, "second", acp.StopReasonCancelled)
	content("eins\n")
	prompt(d, "which name", acp.StopReasonEndTurn)
	if have := p.said(); !strings.HasSuffix(have, "Bob it is.") {
		t.Errorf("said: %q", have)
	}
	d.end()

	again := &person{permit: choose(acp.PermissionOptionKindRejectOnce)}
	d = start(ctx, t, binary, env, again)
	if _, err := d.LoadSession(ctx, acp.LoadSessionRequest{SessionId: made.SessionId, Cwd: ws, McpServers: []acp.McpServer{}}); err != nil {
		t.Fatal(err)
	}
	if have := again.said(); !strings.HasPrefix(have, "<first>I look at the file.") || !strings.HasSuffix(have, "Bob it is.") {
		t.Errorf("told again: %q", have)
	}
	prompt(d, "more", acp.StopReasonEndTurn)
	d.end()
	if errs := model.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}
