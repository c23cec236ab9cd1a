package shell

// powerShellArgs are the arguments that make PowerShell run a command: output
// in UTF-8, and the exit code of the last program as its own.
func powerShellArgs(command string) []string {
	const before = "[Console]::OutputEncoding = [System.Text.Encoding]::UTF8\n"
	const after = "\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }"
	return []string{"-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command", before + command + after}
}
