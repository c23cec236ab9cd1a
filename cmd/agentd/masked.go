package main

import (
	"bytes"
	"io"

	"github.com/agentd-dev/agentd/tools"
)

// maskedLines writes lines of JSON without secrets. Each write is one or more
// whole lines.
type maskedLines struct {
	w io.Writer
	r *tools.Redactor
}

// Write implements io.Writer.
func (m maskedLines) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		out.Write(m.r.JSON(bytes.TrimSuffix(line, []byte("\n"))))
		out.WriteByte('\n')
	}
	if _, err := m.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}
