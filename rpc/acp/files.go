package acp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/rpc/wire"
)

// fileTime bounds how long an editor may take to give or take a text: no person
// is asked.
const fileTime = 20 * time.Second

type readParams struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
}

type readAnswer struct {
	Content *string         `json:"content"`
	Meta    json.RawMessage `json:"_meta"`
}

type writeParams struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
	Content   string `json:"content"`
}

type writeAnswer struct {
	Meta json.RawMessage `json:"_meta"`
}

// ReadFile implements agent.Editor. What is read while a session is opened, such
// as its instructions, is read from the disk: the client does not know the
// session yet.
func (sess *session) ReadFile(ctx context.Context, path string) (string, error) {
	if !sess.isOpen() {
		return "", editstate.ErrNotInEditor
	}
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	var a readAnswer
	err := sess.srv.conn.Call(ctx, "fs/read_text_file", readParams{sess.core.ID, path}, &a)
	var refused *wire.PeerError
	switch {
	case errors.As(err, &refused):
		return "", editstate.ErrNotInEditor
	case err != nil:
		return "", err
	case a.Content == nil:
		return "", errNoAnswer
	}
	return *a.Content, nil
}

// ApplyBuffer implements agent.Client. The text was compared with the editor's
// right before.
func (sess *session) ApplyBuffer(ctx context.Context, e editstate.BufferEdit) (editstate.BufferResult, error) {
	path, err := editstate.URIToPath(e.URI)
	if err != nil {
		return editstate.BufferResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	var a writeAnswer
	if err := sess.srv.conn.Call(ctx, "fs/write_text_file", writeParams{sess.core.ID, path, e.Text}, &a); err != nil {
		return editstate.BufferResult{}, err
	}
	return editstate.BufferResult{Applied: true, Version: e.BaseVersion + 1}, nil
}

func (sess *session) isOpen() bool {
	select {
	case <-sess.opened:
		return true
	default:
		return false
	}
}
