package rpc

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/agentd-dev/agentd/rpc/wire"
	"github.com/agentd-dev/agentd/tools"
)

// LogSink is a slog.Handler that sends warnings and errors (or all that Level
// says) to the client as log/message, beside what Next does with them. Secrets
// are masked.
type LogSink struct {
	Next     slog.Handler
	Level    slog.Level
	Redactor *tools.Redactor

	conn atomic.Pointer[wire.Conn]
}

func (l *LogSink) attach(c *wire.Conn) {
	if l != nil {
		l.conn.Store(c)
	}
}

func (l *LogSink) detach() {
	if l != nil {
		l.conn.Store(nil)
	}
}

// Enabled implements slog.Handler.
func (l *LogSink) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= l.Level && l.conn.Load() != nil || l.Next.Enabled(ctx, level)
}

// Handle implements slog.Handler. It never waits for the client.
func (l *LogSink) Handle(ctx context.Context, r slog.Record) error {
	return l.handle(ctx, r, l.Next, nil)
}

func (l *LogSink) handle(ctx context.Context, r slog.Record, next slog.Handler, attrs []slog.Attr) error {
	if c := l.conn.Load(); c != nil && r.Level >= l.Level {
		p := LogParams{Level: levelName(r.Level), Message: l.Redactor.Text(r.Message)}
		add := func(a slog.Attr) bool {
			if p.Data == nil {
				p.Data = map[string]any{}
			}
			p.Data[a.Key] = l.Redactor.Text(a.Value.String())
			return true
		}
		for _, a := range attrs {
			add(a)
		}
		r.Attrs(add)
		c.Post("log/message", p)
	}
	if next.Enabled(ctx, r.Level) {
		return next.Handle(ctx, r)
	}
	return nil
}

// WithAttrs implements slog.Handler.
func (l *LogSink) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logWith{l, l.Next.WithAttrs(attrs), attrs}
}

// WithGroup implements slog.Handler.
func (l *LogSink) WithGroup(name string) slog.Handler {
	return &logWith{l, l.Next.WithGroup(name), nil}
}

// logWith is a LogSink with attributes.
type logWith struct {
	l     *LogSink
	next  slog.Handler
	attrs []slog.Attr
}

func (w *logWith) Enabled(ctx context.Context, level slog.Level) bool {
	return w.l.Enabled(ctx, level)
}

func (w *logWith) Handle(ctx context.Context, r slog.Record) error {
	return w.l.handle(ctx, r, w.next, w.attrs)
}

func (w *logWith) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logWith{w.l, w.next.WithAttrs(attrs), append(w.attrs[:len(w.attrs):len(w.attrs)], attrs...)}
}

func (w *logWith) WithGroup(name string) slog.Handler {
	return &logWith{w.l, w.next.WithGroup(name), w.attrs}
}

func levelName(l slog.Level) string {
	switch {
	case l >= slog.LevelError:
		return "error"
	case l >= slog.LevelWarn:
		return "warning"
	case l >= slog.LevelInfo:
		return "info"
	}
	return "debug"
}
