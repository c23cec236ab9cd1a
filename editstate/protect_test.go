package editstate

import "testing"

// TestProtectionSpellings: names that some file system takes for a protected
// one are protected.
func TestProtectionSpellings(t *testing.T) {
	w := newWorld(t, nil)
	for path, want := range map[string]Protection{
		".g\u200cit/config": GitInternal, ".git\ufe0f/hooks/x": GitInternal, ".GI\u00adT/config": GitInternal,
		".\u017fsh/rc": Credentials, ".\u00dfh/rc": Credentials, ".\u212aube/config": Credentials, ".env\u200b": Credentials, ".ba\u017fhrc": StartUp,
		"SSH~1/rc": Credentials, "ENV~1": Credentials, "VSCODE~1/tasks.json": EditorTasks, "BASHRC~2": StartUp, "GIT~1/config": GitInternal,
		"GI7EBA~1/x": GitInternal, "ID_ED2~1": Credentials, "CREDEN~1.JSO": Credentials, "SECRET~1.YAM": Credentials,
		".env-prod": Credentials, "id_ed25519_sk": Credentials, ".dir-locals-2.el": EditorTasks, "x/Profile.ps1": StartUp,
		"env~x": Unprotected, "main~1.go": Unprotected, "caf\u00e9.txt": Unprotected, ".environment": Unprotected, ".env-example": Unprotected, "notes~1": Unprotected,
	} {
		loc, err := w.Resolve(path)
		must(t, err)
		if have := w.Protection(loc); have != want {
			t.Errorf("%+q: %q, want %q", path, have, want)
		}
	}
}
