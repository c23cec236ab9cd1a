// Package task holds the tools for a list of tasks that lives with the workspace,
// longer than a session.
package task

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

//go:embed create.md
var createText string

//go:embed update.md
var updateText string

//go:embed list.md
var listText string

// file is where a workspace has its tasks.
const file = ".agentd/tasks.json"

// maxTasks bounds the list.
const maxTasks = 1000

// Task is one task.
type Task struct {
	ID      int       `json:"id"`
	Title   string    `json:"title"`
	Details string    `json:"details,omitempty"`
	Status  string    `json:"status"` // open, in_progress, done, dropped
	Notes   []string  `json:"notes,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// tasks is the content of the file.
type tasks struct {
	Version int    `json:"version"`
	Tasks   []Task `json:"tasks"`
}

// CreateParams are the arguments of task_create.
type CreateParams struct {
	Title   string `json:"title" jsonschema:"minLength=1,maxLength=200"`
	Details string `json:"details,omitempty" jsonschema:"maxLength=4000"`
}

// UpdateParams are the arguments of task_update.
type UpdateParams struct {
	ID     int    `json:"id" jsonschema:"minimum=1"`
	Status string `json:"status,omitempty" jsonschema:"enum=open,enum=in_progress,enum=done,enum=dropped"`
	Note   string `json:"note,omitempty" jsonschema:"maxLength=1000,description=What was found or done."`
}

// ListParams are the arguments of task_list.
type ListParams struct {
	All bool `json:"all,omitempty" jsonschema:"default=false,description=Also those that are done or dropped."`
}

// Set makes task_create, task_update and task_list. They are deferred: most
// sessions need none of them.
func Set() tools.Toolset {
	ask := func(title string) *tools.Plan {
		return &tools.Plan{Title: title, Grants: []tools.Grant{{ID: "tasks", Label: "changes of the workspace's task list (" + file + ")"}}}
	}
	return tools.Toolset{Name: "task", Members: []*tools.Tool{
		tools.New(tools.Tool{Name: "create", Title: "New task", Description: createText, Kind: tools.KindThink, Level: tools.Sensitive, Deferred: true}, tools.Handler[CreateParams]{
			Plan: func(_ context.Context, _ *tools.Call, p *CreateParams) (*tools.Plan, error) {
				return ask("New task: " + p.Title), nil
			},
			Run: create,
		}),
		tools.New(tools.Tool{Name: "update", Title: "Update task", Description: updateText, Kind: tools.KindThink, Level: tools.Sensitive, Deferred: true}, tools.Handler[UpdateParams]{
			Plan: func(_ context.Context, _ *tools.Call, p *UpdateParams) (*tools.Plan, error) {
				return ask(fmt.Sprintf("Task %d: %s", p.ID, p.Status)), nil
			},
			Run: update,
		}),
		tools.New(tools.Tool{Name: "list", Title: "Tasks", Description: listText, Kind: tools.KindThink, Level: tools.Safe, Deferred: true,
			Traits: tools.Traits{ReadOnly: true, Concurrent: true}}, tools.Handler[ListParams]{Run: list}),
	}}
}

// parse reads the file's content. One that is not understood is not overwritten.
func parse(b []byte) (*tasks, error) {
	t := &tasks{Version: 1}
	if len(b) == 0 {
		return t, nil
	}
	if err := json.Unmarshal(b, t); err != nil || t.Version != 1 {
		return nil, &tools.Error{Code: tools.CodeExecution, Message: file + " is not a list of tasks that can be read; it was left as it is", Hint: "Tell the user."}
	}
	return t, nil
}

// change changes the list.
func change(ctx context.Context, c *tools.Call, f func(*tasks) error) error {
	return c.Env.Files.Update(ctx, file, func(old []byte) ([]byte, error) {
		t, err := parse(old)
		if err != nil {
			return nil, err
		}
		if err := f(t); err != nil {
			return nil, err
		}
		b, err := json.MarshalIndent(t, "", "  ")
		return append(b, '\n'), err
	})
}

func create(ctx context.Context, c *tools.Call, p *CreateParams) (*tools.Result, error) {
	id := 1
	err := change(ctx, c, func(t *tasks) error {
		if len(t.Tasks) >= maxTasks {
			return &tools.Error{Code: tools.CodeUnavailable, Message: fmt.Sprintf("the list has %d tasks already", len(t.Tasks)), Hint: "Ask the user to clear it up."}
		}
		for _, x := range t.Tasks {
			id = max(id, x.ID+1)
		}
		now := time.Now().UTC().Truncate(time.Second)
		t.Tasks = append(t.Tasks, Task{ID: id, Title: p.Title, Details: p.Details, Status: "open", Created: now, Updated: now})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tools.Text(fmt.Sprintf("Task %d was created.", id)), nil
}

func update(ctx context.Context, c *tools.Call, p *UpdateParams) (*tools.Result, error) {
	if p.Status == "" && p.Note == "" {
		return nil, &tools.Error{Code: tools.CodeInvalidArguments, Message: "nothing to change was given", Hint: "Give status, note or both."}
	}
	err := change(ctx, c, func(t *tasks) error {
		for i := range t.Tasks {
			x := &t.Tasks[i]
			if x.ID != p.ID {
				continue
			}
			if p.Status != "" {
				x.Status = p.Status
			}
			if p.Note != "" {
				x.Notes = append(x.Notes, p.Note)
			}
			x.Updated = time.Now().UTC().Truncate(time.Second)
			return nil
		}
		return &tools.Error{Code: tools.CodeNotFound, Message: fmt.Sprintf("there is no task %d", p.ID), Hint: "task_list shows those that there are."}
	})
	if err != nil {
		return nil, err
	}
	return tools.Text(fmt.Sprintf("Task %d was updated.", p.ID)), nil
}

func list(ctx context.Context, c *tools.Call, p *ListParams) (*tools.Result, error) {
	var content []byte
	f, err := c.Env.Files.Read(ctx, file)
	if err == nil {
		content = f.Bytes
	} else if !tools.IsNotFound(err) {
		return nil, err
	}
	t, err := parse(content)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	closed := 0
	for _, x := range t.Tasks {
		if (x.Status == "done" || x.Status == "dropped") && !p.All {
			closed++
			continue
		}
		fmt.Fprintf(&out, "%d  [%s] %s\n", x.ID, x.Status, x.Title)
		if x.Details != "" {
			fmt.Fprintf(&out, "   %s\n", strings.ReplaceAll(x.Details, "\n", "\n   "))
		}
		for _, n := range x.Notes {
			fmt.Fprintf(&out, "   - %s\n", n)
		}
	}
	if out.Len() == 0 {
		out.WriteString("There is no open task.\n")
	}
	if closed > 0 {
		fmt.Fprintf(&out, "(%d are done or dropped)\n", closed)
	}
	r := tools.Text(out.String())
	r.Data = t.Tasks
	return r, nil
}
