package tools

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentd-dev/agentd/editstate"
)

// TestSeveralFiles answers one question about two files, each in its own way.
func TestSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	text := "one\ntwo\nthree\n"
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := editstate.NewHost("").Open(editstate.Config{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx := context.Background()
	p := &Plan{}
	for _, name := range []string{"a.txt", "b.txt"} {
		f, err := w.Read(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		w.SeeAll(f)
		c, err := w.PlanWrite(ctx, name, "eins\ntwo\ndrei\n")
		if err != nil {
			t.Fatal(err)
		}
		p.Changes = append(p.Changes, c)
	}
	p.numberHunks()
	a, b := p.Changes[0], p.Changes[1]
	if a.Hunks[0].ID != "h1" || a.Hunks[1].ID != "h2" || b.Hunks[0].ID != "h3" || b.Hunks[1].ID != "h4" {
		t.Fatalf("ids: %q %q %q %q", a.Hunks[0].ID, a.Hunks[1].ID, b.Hunks[0].ID, b.Hunks[1].ID)
	}
	r := &Request{Plan: p}
	mine := "mine\n"
	for _, tc := range []struct {
		name   string
		answer Answer
		ok     bool
		a, b   editstate.Approval
	}{
		{"all", Answer{Decision: Allow}, true, editstate.Approval{}, editstate.Approval{}},
		{"hunks of both", Answer{Decision: Allow, Hunks: map[string]bool{"h1": true, "h4": true}}, true,
			editstate.Approval{Hunks: map[string]bool{"h1": true}}, editstate.Approval{Hunks: map[string]bool{"h4": true}}},
		{"hunks of one", Answer{Decision: Allow, Hunks: map[string]bool{"h3": true}}, true,
			editstate.Approval{Hunks: map[string]bool{}}, editstate.Approval{Hunks: map[string]bool{"h3": true}}},
		{"a text and hunks", Answer{Decision: Allow, Hunks: map[string]bool{"h3": true}, Edits: []EditedText{{a.URI, &mine}}}, true,
			editstate.Approval{Text: &mine}, editstate.Approval{Hunks: map[string]bool{"h3": true}}},
		{"both for one file", Answer{Decision: Allow, Hunks: map[string]bool{"h1": true}, Edits: []EditedText{{a.URI, &mine}}}, false,
			editstate.Approval{}, editstate.Approval{}},
		{"a hunk of no file", Answer{Decision: Allow, Hunks: map[string]bool{"h5": true}}, false,
			editstate.Approval{}, editstate.Approval{}},
	} {
		if err := r.Check(tc.answer); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, err)
		}
		if !tc.ok {
			continue
		}
		for i, want := range []editstate.Approval{tc.a, tc.b} {
			got := tc.answer.Approval(p.Changes[i])
			if got.Text != want.Text || (got.Hunks == nil) != (want.Hunks == nil) || !maps.Equal(got.Hunks, want.Hunks) {
				t.Errorf("%s: file %d: got %v, want %v", tc.name, i, got, want)
			}
		}
	}
}
