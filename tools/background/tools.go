package background

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed output.md
var outputText string

//go:embed kill.md
var killText string

//go:embed list.md
var listText string

// outputCap bounds what one look at an output gives.
const outputCap = 10_000

// OutputParams are the arguments of background_output.
type OutputParams struct {
	ID     string `json:"id" jsonschema:"minLength=1,description=The task\\, e.g. b1."`
	WaitMs int    `json:"wait_ms,omitempty" jsonschema:"minimum=0,maximum=120000,default=0,description=Wait this long for more output or the end."`
}

// KillParams are the arguments of background_kill.
type KillParams struct {
	ID string `json:"id" jsonschema:"minLength=1,description=The task\\, e.g. b1."`
}

// ListParams are the arguments of background_list: none.
type ListParams struct{}

// TaskData is a task for programs.
type TaskData struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Ended string `json:"ended,omitempty"`
}

// Set makes background_output, background_kill and background_list. They come
// with the tools that start something in the background: whoever may use one of
// those may use these.
func Set() tools.Toolset {
	starters := []string{"run_command", "subagent"}
	look := tools.Traits{ReadOnly: true, Concurrent: true}
	return tools.Toolset{Name: "background", Members: []*tools.Tool{
		tools.New(tools.Tool{Name: "output", Title: "Background output", Description: outputText, Kind: tools.KindRead, Level: tools.Safe, Traits: look, Cap: outputCap, With: starters},
			tools.Handler[OutputParams]{Plan: planOutput, Run: output}),
		tools.New(tools.Tool{Name: "kill", Title: "End background task", Description: killText, Kind: tools.KindExecute, Level: tools.Safe, With: starters},
			tools.Handler[KillParams]{Plan: planKill, Run: kill}),
		tools.New(tools.Tool{Name: "list", Title: "Background tasks", Description: listText, Kind: tools.KindRead, Level: tools.Safe, Traits: look, With: starters},
			tools.Handler[ListParams]{Run: list}),
	}}
}

func find(c *tools.Call, id string) (*Task, error) {
	m, err := Of(c.Env)
	if err != nil {
		return nil, err
	}
	return m.Get(id)
}

func planOutput(_ context.Context, c *tools.Call, p *OutputParams) (*tools.Plan, error) {
	t, err := find(c, p.ID)
	if err != nil {
		return nil, err
	}
	return &tools.Plan{Title: fmt.Sprintf("Output of %s (%s)", t.ID, t.Title)}, nil
}

func planKill(_ context.Context, c *tools.Call, p *KillParams) (*tools.Plan, error) {
	t, err := find(c, p.ID)
	if err != nil {
		return nil, err
	}
	return &tools.Plan{Title: fmt.Sprintf("End %s (%s)", t.ID, t.Title)}, nil
}

func output(ctx context.Context, c *tools.Call, p *OutputParams) (*tools.Result, error) {
	t, err := find(c, p.ID)
	if err != nil {
		return nil, err
	}
	if p.WaitMs > 0 {
		if err := t.await(ctx, time.Duration(p.WaitMs)*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return t.report(), nil
}

// await waits until there is output, the task has ended, or the time is over.
func (t *Task) await(ctx context.Context, d time.Duration) error {
	more := t.out.arrival()
	if more == nil {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-more:
	case <-t.done:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// FirstLook waits a moment and shows what there is by then.
func (t *Task) FirstLook(ctx context.Context, d time.Duration) *tools.Result {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return t.report()
}

// report shows what is new.
func (t *Task) report() *tools.Result {
	ended := t.Ended() // before the output: what comes after it is for the next look
	text, dropped, file := t.out.take()
	var out strings.Builder
	if dropped > 0 {
		where := "they were not kept"
		if file != "" {
			where = "the whole output is in " + file + ", which read_file can page"
		}
		fmt.Fprintf(&out, "[%d bytes came before this and are left out; %s]\n", dropped, where)
	}
	out.WriteString(text)
	if text == "" {
		out.WriteString("(no new output)")
	}
	if !strings.HasSuffix(out.String(), "\n") {
		out.WriteByte('\n')
	}
	if ended == "" {
		fmt.Fprintf(&out, "[%s runs since %s: %s]", t.ID, since(time.Since(t.began)), t.Title)
	} else {
		t.mu.Lock()
		t.told = true
		took := t.took
		t.mu.Unlock()
		fmt.Fprintf(&out, "[%s has ended after %s: %s]", t.ID, since(took), ended)
	}
	r := tools.Text(out.String())
	r.Data = t.data()
	return r
}

func (t *Task) data() TaskData { return TaskData{t.ID, t.Kind, t.Title, t.Ended()} }

func kill(ctx context.Context, c *tools.Call, p *KillParams) (*tools.Result, error) {
	t, err := find(c, p.ID)
	if err != nil {
		return nil, err
	}
	if t.Ended() != "" {
		return t.report(), nil
	}
	if err := t.Kill(ctx); err != nil {
		return nil, err
	}
	return t.report(), nil
}

func list(_ context.Context, c *tools.Call, _ *ListParams) (*tools.Result, error) {
	m, err := Of(c.Env)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	data := []TaskData{}
	for _, t := range m.List() {
		state := "runs since " + since(time.Since(t.began))
		if ended := t.Ended(); ended != "" {
			state = "ended: " + ended
		}
		fmt.Fprintf(&out, "%s  %s  %s  (%s)\n", t.ID, t.Kind, t.Title, state)
		data = append(data, t.data())
	}
	if len(data) == 0 {
		out.WriteString("Nothing was started in the background.")
	}
	r := tools.Text(out.String())
	r.Data = data
	return r, nil
}

func since(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
