package editstate

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakeSecrets takes the values of KEY= and what stands between BEGIN and END
// for secrets.
type fakeSecrets struct{}

var fakeSecret = regexp.MustCompile(`(?s)\bKEY=(\S+)|BEGIN\n(.+?)\nEND`)

func (fakeSecrets) Find(text string) (found []Range) {
	for _, m := range fakeSecret.FindAllStringSubmatchIndex(text, -1) {
		i := 2
		if m[2] < 0 {
			i = 4
		}
		found = append(found, Range{m[i], m[i+1]})
	}
	return found
}

func (s fakeSecrets) Hide(text string) string {
	var out strings.Builder
	done := 0
	for _, r := range s.Find(text) {
		out.WriteString(text[done:r.From] + "[hidden]" + strings.Repeat("\n[hidden]", strings.Count(text[r.From:r.To], "\n")))
		done = r.To
	}
	return out.String() + text[done:]
}

// TestSecretsBesideChanges: the diff of a change beside a secret, and a refused
// hunk that cuts one, do not show its lines.
func TestSecretsBesideChanges(t *testing.T) {
	const text = "BEGIN\nAAAAAAAA\nBBBBBBBB\nCCCCCCCC\nEND\nx=1\n\n\n\n\ny=1\n"
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "f"), text)
	w := openWorld(t, Config{Roots: []string{dir}, Secrets: fakeSecrets{}})
	w.see("f")
	c, err := w.PlanEdit(t.Context(), "f", []Edit{{Old: "x=1", New: "x=2"}, {Old: "y=1", New: "y=2"}})
	must(t, err)
	done, err := w.Apply(t.Context(), c, Approval{Hunks: map[string]bool{"h1": true}})
	must(t, err)
	if !strings.Contains(done.Diff, " [hidden]\n END\n-x=1\n+x=2\n") || strings.Contains(done.Diff, "CCC") {
		t.Error(done.Diff)
	}
	if len(done.Refused) != 1 || done.Refused[0].Text != "-y=1\n+y=2\n" {
		t.Errorf("%+v", done.Refused)
	}
	c, err = w.PlanWrite(t.Context(), "f", "BEGIN\nDDDDDDDD\nEND\nx=3\ny=1\n")
	must(t, err)
	keep := map[string]bool{}
	for _, h := range c.Hunks {
		keep[h.ID] = strings.Contains(h.Text, "x=")
	}
	done, err = w.Apply(t.Context(), c, Approval{Hunks: keep})
	must(t, err)
	for _, h := range done.Refused {
		if strings.Contains(h.Text, "AAA") || strings.Contains(h.Text, "BBB") {
			t.Error(h.Text)
		}
	}
}

// TestSecretsStayHidden: an edit can neither guess a secret nor bring it to
// light.
func TestSecretsStayHidden(t *testing.T) {
	const text = "# hunter2 is no secret here\nKEY=hunter22-abc\nother=1\nBEGIN\nAAAAAAAA\nBBBBBBBB\nEND\nlast=2\n"
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "f"), text)
	w := openWorld(t, Config{Roots: []string{dir}, Secrets: fakeSecrets{}})
	w.see("f")
	for _, guess := range []string{"KEY=hunter", "KEY=h", "22-abc", "-abc\nother", "BEGIN\nAAAA", "AAAAAAAA\nBBBB", "BBB", "KEY=wrong"} {
		err := w.edit("f", guess, "x")
		wantCode(t, err, NoMatch)
		if strings.Contains(err.Error(), "22-abc") || strings.Contains(err.Error(), "BBBBB") || strings.Contains(err.Error(), "AAAAA") {
			t.Errorf("%q: %v", guess, err)
		}
	}
	for _, c := range [][2]string{
		{"KEY=", "K="}, {"KEY=", "KEY= "}, {"KEY=", "KE\nY="}, {"\nKEY", "\nMONKEY"}, {"BEGIN", "BEG"}, {"BEGIN\n", ""}, {"\nEND", ""},
	} {
		wantCode(t, w.edit("f", c[0], c[1]), Refused, "secret")
	}
	wantCode(t, w.write("f", "nothing\n"+text[strings.Index(text, "other"):]+"KEY=hunter22-abc\nmore: hunter22-abc\n"), Refused)
	if w.get("f") != text {
		t.Fatal("the file has changed")
	}
	must(t, w.edit("f", "other=1", "other=3"))
	must(t, w.edit("f", "hunter2 is", "hunter2, hunter22, KE=1 are"))
	must(t, w.edit("f", "last=2\n", "last=4\nKEY=new\n"))
	must(t, w.edit("f", "KEY=hunter22-abc", "key is gone")) // who knows all of it may change it
}

// TestSecretsInLargeFiles: only the surroundings of a change are looked at.
func TestSecretsInLargeFiles(t *testing.T) {
	dir := t.TempDir()
	filler := strings.Repeat(strings.Repeat("x", 99)+"\n", 5000)
	writeFile(t, filepath.Join(dir, "f"), filler+"KEY=hunter22-abc\n"+filler)
	w := openWorld(t, Config{Roots: []string{dir}, Secrets: fakeSecrets{}})
	w.see("f")
	wantCode(t, w.edit("f", "KEY=hunter", "x"), NoMatch)
	wantCode(t, w.edit("f", "KEY=", "x="), Refused)
	must(t, w.edit("f", "xx\nKEY=", "xx\n\nKEY="))
}
