package model

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"time"
)

// Replay is a model that plays a recording or a script. It implements Model.
//
// # Which reply a request gets
//
// The place in the replay follows from the request alone, so that any number
// of sessions may use a replay at once, and a resumed one goes on where it
// stopped: the history is walked, and each assistant message in it has taken
// one reply, namely the next of its conversation whose conditions ("when",
// "step") held at that point. Replies that are passed over are gone; a reply
// with "forever" is never used up.
//
// A reply that fails leaves no assistant message behind: that it was given is
// remembered, and the next request at its place gets the next reply.
type Replay struct {
	name   string
	note   string
	blocks []*replayBlock
	opts   Options

	mu     sync.Mutex    // guards failed
	failed map[place]int // failing replies that were given there
}

// place is where a conversation stands.
type place struct {
	first string // the first user message
	step  int
}

// Options are for NewReplay.
type Options struct {
	// RealTime plays at the speed of the recording, not at once.
	RealTime bool
	// Strict fails a request that differs from the recorded one with ErrReplay.
	// Without it a Notice says what differs, and only a replay that has no reply
	// left fails.
	Strict bool
}

// NewReplay reads a replay; name is what the user calls it.
func NewReplay(name string, r io.Reader, opts Options) (*Replay, error) {
	header, blocks, err := parseReplay(r)
	if err != nil {
		return nil, &Error{Kind: ErrUnavailable, Message: fmt.Sprintf("the replay %s cannot be read: %v", name, err), Err: err}
	}
	return &Replay{name: name, note: header.Note, blocks: blocks, opts: opts, failed: map[place]int{}}, nil
}

// Name is "replay:" and the name of the replay.
func (p *Replay) Name() string { return "replay:" + p.name }

// Note is what the replay says about itself.
func (p *Replay) Note() string { return p.note }

// Stream implements Model.
func (p *Replay) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		b, at := p.find(req)
		if b == nil {
			yield(nil, &Error{Kind: ErrReplay, Message: p.noReply(at)})
			return
		}
		if why := b.request.differs(req); why != "" {
			why = fmt.Sprintf("%s, line %d: %s", p.Name(), b.line, why)
			if p.opts.Strict {
				yield(nil, &Error{Kind: ErrReplay, Message: why})
				return
			}
			if !yield(Notice{Kind: "replay_differs", Text: why}, nil) {
				return
			}
		}
		p.play(ctx, req, b, at, yield)
	}
}

// noReply says why there is no reply for a request.
func (p *Replay) noReply(at place) string {
	if len(p.conversation(at.first)) > 0 || len(p.blocks) == 0 {
		return fmt.Sprintf("%s has no reply left for request %d of this conversation", p.Name(), at.step)
	}
	return fmt.Sprintf("%s has no conversation that starts with %q; the first starts with %q", p.Name(), at.first, p.blocks[0].request.Conversation)
}

// find gives the block that answers a request, nil if there is none, and where
// the request stands.
func (p *Replay) find(req *Request) (*replayBlock, place) {
	at := place{first: cutText(firstUserText(req.Messages)), step: 1}
	blocks := p.conversation(at.first)
	next := 0
	for i, m := range req.Messages {
		if m.Role != RoleAssistant {
			continue
		}
		n := choose(blocks, next, req.Messages[:i], at.step)
		for n < len(blocks) && blocks[n].fails() && !blocks[n].forever {
			n = choose(blocks, n+1, req.Messages[:i], at.step) // it left no message
		}
		if n < len(blocks) {
			next = n
			if !blocks[n].forever {
				next++
			}
		}
		at.step++
	}
	p.mu.Lock()
	failures := p.failed[at]
	p.mu.Unlock()
	for n := choose(blocks, next, req.Messages, at.step); n < len(blocks); n = choose(blocks, n+1, req.Messages, at.step) {
		if !blocks[n].fails() || blocks[n].forever || failures == 0 {
			return blocks[n], at
		}
		failures--
	}
	return nil, at
}

// choose gives the index of the next block that is not passed over.
func choose(blocks []*replayBlock, next int, history []*Message, step int) int {
	for next < len(blocks) && !blocks[next].chosen(history, step) {
		next++
	}
	return next
}

// conversation gives the blocks for the conversation that starts so. A
// recording of one conversation that is not strict goes with any.
func (p *Replay) conversation(first string) []*replayBlock {
	var own, rest []*replayBlock
	for _, b := range p.blocks {
		if b.request.Conversation == "" {
			rest = append(rest, b)
		} else if b.belongs(first) {
			own = append(own, b)
		}
	}
	if own == nil && rest == nil && len(p.blocks) > 0 && !p.opts.Strict {
		return p.conversation(p.blocks[0].request.Conversation)
	}
	if own == nil {
		return rest
	}
	return own
}

func (b *replayBlock) fails() bool { return b.reply[len(b.reply)-1].Error != nil }

// play yields the reply of a block.
func (p *Replay) play(ctx context.Context, req *Request, b *replayBlock, at place, yield func(Event, error) bool) {
	m := &Message{Role: RoleAssistant}
	fin := Finish{Message: m, Usage: &Usage{}} // a replay uses nothing that it does not say
	var text strings.Builder
	for _, l := range b.reply {
		pieces := []string{l.Text + l.Thought}
		if p.opts.RealTime && l.MS > 0 && pieces[0] != "" {
			pieces = words(pieces[0])
		}
		for _, piece := range pieces {
			if err := p.wait(ctx, time.Duration(l.MS)*time.Millisecond/time.Duration(len(pieces))); err != nil {
				yield(nil, err)
				return
			}
			switch {
			case l.Text != "":
				text.WriteString(piece)
				if !yield(TextDelta{piece}, nil) {
					return
				}
			case l.Thought != "":
				m.Reasoning += piece
				if !yield(ThoughtDelta{piece}, nil) {
					return
				}
			}
		}
		switch {
		case l.Error != nil:
			p.mu.Lock()
			p.failed[at]++
			p.mu.Unlock()
			yield(nil, l.Error.error())
			return
		case l.Call != nil:
			m.ToolCalls = append(m.ToolCalls, ToolCall{ID: l.Call.ID, Name: l.Call.Name, Arguments: l.Call.arguments()})
		case l.Usage != nil:
			fin.Usage = l.Usage
		case l.Finish != "":
			fin.RawReason = l.Finish
		}
	}
	if text.Len() > 0 {
		m.Parts = []Part{{Text: text.String()}}
	}
	p.nameCalls(m, req)
	var err error
	if fin.RawReason == "" && len(m.ToolCalls) == 0 {
		fin.RawReason = string(FinishStop)
	}
	if fin.Reason, err = finishReason(fin.RawReason, len(m.ToolCalls) > 0); err != nil {
		yield(nil, err)
		return
	}
	yield(fin, nil)
}

// nameCalls gives ids to calls that have none: unique in the conversation, and
// the same for the same request.
func (p *Replay) nameCalls(m *Message, req *Request) {
	n := 0
	for _, old := range req.Messages {
		n += len(old.ToolCalls)
	}
	for i := range m.ToolCalls {
		n++
		if c := &m.ToolCalls[i]; c.ID == "" {
			c.ID = fmt.Sprintf("replay_%d", n)
		}
	}
}

// wait waits at real speed; it fails when ctx has ended.
func (p *Replay) wait(ctx context.Context, d time.Duration) error {
	if p.opts.RealTime && d > 0 && ctx.Err() == nil {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return &Error{Kind: ErrCancelled, Message: "the model request was cancelled", Err: context.Cause(ctx)}
	}
	return nil
}

// words cuts a text before each word.
func words(s string) []string {
	var out []string
	start, space := 0, false
	for i := range len(s) {
		blank := s[i] == ' ' || s[i] == '\n' || s[i] == '\t'
		if space && !blank {
			out = append(out, s[start:i])
			start = i
		}
		space = blank
	}
	return append(out, s[start:])
}
