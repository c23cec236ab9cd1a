package fakemodel

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
)

// form is how the bytes of a reply go over the wire.
type form struct {
	lineEnd string // "" for \n
	pieces  int    // bytes a packet; 0 for an event each, -1 for all in one
	gzip    bool
}

// wireWriter sends a stream in the form that the script asks for.
type wireWriter struct {
	form  form
	w     io.Writer
	flush func()
	zip   *gzip.Writer
	held  bytes.Buffer // for one packet
}

func newWireWriter(w http.ResponseWriter, f form) *wireWriter {
	ww := &wireWriter{form: f, w: w, flush: func() {}}
	if fl, ok := w.(http.Flusher); ok {
		ww.flush = fl.Flush
	}
	if f.gzip {
		w.Header().Set("Content-Encoding", "gzip")
		ww.zip = gzip.NewWriter(w)
		ww.w = ww.zip
	}
	return ww
}

// send writes a piece of the stream. Failures are the client's going away.
func (w *wireWriter) send(b []byte) {
	if w.form.lineEnd != "" {
		b = bytes.ReplaceAll(b, []byte("\n"), []byte(w.form.lineEnd))
	}
	if w.form.pieces < 0 {
		w.held.Write(b)
		return
	}
	size := w.form.pieces
	if size == 0 {
		size = len(b)
	}
	for len(b) > 0 {
		n := min(size, len(b))
		_, _ = w.w.Write(b[:n])
		b = b[n:]
		w.push()
	}
}

// release sends what is held back.
func (w *wireWriter) release() {
	if w.held.Len() > 0 {
		_, _ = w.w.Write(w.held.Bytes())
		w.held.Reset()
	}
	w.push()
}

// close ends a compressed stream.
func (w *wireWriter) close() {
	w.release()
	if w.zip != nil {
		_ = w.zip.Close()
	}
	w.flush()
}

func (w *wireWriter) push() {
	if w.zip != nil {
		_ = w.zip.Flush()
	}
	w.flush()
}
