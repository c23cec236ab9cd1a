package wire

import (
	"encoding/json"
	"sync"
)

// maxBatch bounds the messages of a batch.
const maxBatch = 1000

// batch gathers the replies to the requests of one array, which are sent as
// one array when the last is there.
type batch struct {
	mu      sync.Mutex
	open    int
	replies []json.RawMessage
	send    func(frame []byte) bool
}

// expect counts a request that will be answered.
func (b *batch) expect() {
	b.mu.Lock()
	b.open++
	b.mu.Unlock()
}

// reply adds an answer; the last one sends them all.
func (b *batch) reply(frame []byte) {
	b.mu.Lock()
	b.replies = append(b.replies, frame)
	b.open--
	b.mu.Unlock()
	b.flush()
}

// release ends the reader's own hold on the batch: all its messages have been
// seen.
func (b *batch) release() {
	b.mu.Lock()
	b.open--
	b.mu.Unlock()
	b.flush()
}

func (b *batch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open > 0 || len(b.replies) == 0 {
		return
	}
	out := []byte{'['}
	for i, r := range b.replies {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, r...)
	}
	b.replies = nil
	b.send(append(out, ']'))
}
