package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// setUp asks for the model's server, key and model, and writes them into the
// config file, whose other fields stay.
func setUp(o options, in *os.File, out io.Writer) int {
	path := o.config
	if path == "" {
		path = configPath(os.Getenv)
	}
	if path == "" {
		fmt.Fprintln(os.Stderr, "agentd: there is no place for a config file; name one with --config")
		return 1
	}
	fields, err := readFields(path)
	if err == nil {
		err = askSetup(fields, in, out)
	}
	if err == nil {
		err = writeFields(path, fields)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	fmt.Fprintln(out, "Written to", path)
	return 0
}

// readFields reads the config file as it is; it need not be there.
func readFields(path string) (map[string]any, error) {
	fields := map[string]any{}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fields, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the config file: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return nil, fmt.Errorf("the config file %s cannot be read: %w", path, err)
	}
	return fields, nil
}

// askSetup asks the questions; an empty answer keeps what there is.
func askSetup(fields map[string]any, in *os.File, out io.Writer) error {
	lines := bufio.NewReader(in)
	ask := func(name, question, fallback string) error {
		have, _ := fields[name].(string)
		if have = cmp.Or(have, fallback); have != "" {
			question += " [" + have + "]"
		}
		fmt.Fprint(out, question+": ")
		line, err := lines.ReadString('\n')
		if err != nil && (err != io.EOF || line == "") {
			return fmt.Errorf("nothing was written: %w", err)
		}
		if v := cmp.Or(strings.TrimSpace(line), have); v != "" {
			fields[name] = v
		}
		return nil
	}
	if err := ask("baseUrl", "Address of the OpenAI-compatible server", "https://api.openai.com/v1"); err != nil {
		return err
	}
	if err := askKey(fields, in, lines, out); err != nil {
		return err
	}
	return ask("model", "Model", "")
}

// askKey asks for the key; a terminal does not show it.
func askKey(fields map[string]any, in *os.File, lines *bufio.Reader, out io.Writer) error {
	question := "Key (empty for a server that needs none)"
	if fields["apiKey"] != nil {
		question = "Key (empty keeps the one that is there)"
	}
	fmt.Fprint(out, question+": ")
	var line string
	var err error
	if term.IsTerminal(int(in.Fd())) {
		var b []byte
		b, err = term.ReadPassword(int(in.Fd()))
		line = string(b)
		fmt.Fprintln(out)
	} else {
		line, err = lines.ReadString('\n')
	}
	if err != nil && (err != io.EOF || line == "") {
		return fmt.Errorf("nothing was written: %w", err)
	}
	if key := strings.TrimSpace(line); key != "" {
		fields["apiKey"] = key
	}
	return nil
}

// writeFields writes the config file, for the user's eyes only, in one step.
func writeFields(path string, fields map[string]any) error {
	b, err := json.MarshalIndent(fields, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("writing the config file: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".config-*.json") // 0600
	if err != nil {
		return fmt.Errorf("writing the config file: %w", err)
	}
	_, err = f.Write(append(b, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing the config file: %w", err)
	}
	return nil
}
