package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestPowerShellArgs(t *testing.T) {
	command := "Get-ChildItem -Path 'a b' | Select-Object -First 1; git status"
	got := powerShellArgs(command)
	if i := slices.Index(got, "-Command"); i != len(got)-2 {
		t.Fatalf("the command is not the last argument: %q", got)
	}
	for _, flag := range []string{"-NoProfile", "-NonInteractive"} {
		if !slices.Contains(got, flag) {
			t.Errorf("%s is missing", flag)
		}
	}
	if last := got[len(got)-1]; !strings.Contains(last, "\n"+command+"\n") || !strings.Contains(last, "exit $LASTEXITCODE") {
		t.Errorf("got %q", last)
	}
}

// What is not plain words is written for another shell there.
func TestPlainCommand(t *testing.T) {
	for command, want := range map[string]bool{
		"git status": true, "go test ./...": true, "npm run build": true, "git log -n 5 --format=oneline": true,
		"a; b": false, "a | b": false, "a > b": false, "$x": false, "a `b": false, "a 'b'": false, `a "b"`: false, "a (b)": false, "a & b": false, "a\nb": false, "a {b}": false,
	} {
		if got := plainCommand.MatchString(command); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}
