package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Script is the built-in replay, the model named replay:demo.
//
//go:embed script.jsonl
var Script []byte

//go:embed sample
var sampleFiles embed.FS

// copySample makes a folder of its own for the sample project.
func copySample() (place, error) {
	scratch, err := os.MkdirTemp("", "agentd-demo-")
	if err != nil {
		return place{}, fmt.Errorf("making a folder for the sample project: %w", err)
	}
	p := place{folder: filepath.Join(scratch, "split"), sample: true, scratch: scratch}
	files, err := fs.Sub(sampleFiles, "sample")
	if err == nil {
		err = os.CopyFS(p.folder, files)
	}
	if err != nil {
		return place{}, fmt.Errorf("copying the sample project: %w", err)
	}
	return p, nil
}
