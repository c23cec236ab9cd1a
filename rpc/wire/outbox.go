package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
)

const (
	// softOut is the amount of unwritten bytes at which updates wait for the
	// client to read.
	softOut = 4 << 20
	// hardOut is the amount at which the client counts as dead.
	hardOut = 128 << 20
)

// outbox is the only way to the client: whatever is put goes out in that
// order, by one writer. Putting never waits for the client, except for
// updates, and those give up with their context.
//
// Growing messages that wait are joined: a client that reads slowly, or a model that
// writes fast, costs fewer messages and not more memory.
type outbox struct {
	w       *bufio.Writer
	framing Framing

	mu     sync.Mutex
	queue  []outItem
	bytes  int
	closed bool
	err    error
	wake   chan struct{} // the writer has something to do
	room   chan struct{} // closed when the queue has been taken
	done   chan struct{} // the writer has ended
	dead   chan struct{} // closed when the client does not take any more
}

// Growing is a notification that carries a piece of something, e.g. of a text.
// There are thousands in a turn, so they are joined while they wait.
type Growing interface {
	// Join takes in the message that follows, if the two make one. added is
	// about by how many bytes the message has grown.
	Join(next Growing) (added int, ok bool)
	// Size is about how many bytes it has.
	Size() int
	// Encode appends the whole notification.
	Encode(b []byte) []byte
}

// outItem is a message to write: an encoded one, or one that may still grow.
type outItem struct {
	frame   []byte
	growing Growing
}

func newOutbox(w io.Writer, f Framing) *outbox {
	o := &outbox{w: bufio.NewWriterSize(w, 64<<10), framing: f, wake: make(chan struct{}, 1), room: make(chan struct{}), done: make(chan struct{}), dead: make(chan struct{})}
	go o.run()
	return o
}

// put queues a message. It reports false once the connection is gone.
func (o *outbox) put(frame []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.add(outItem{frame: frame}, len(frame))
}

// putUpdate queues an update; it waits while the client is far behind.
func (o *outbox) putUpdate(ctx context.Context, frame []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.await(ctx)
	return o.add(outItem{frame: frame}, len(frame))
}

// putGrowing queues a growing message, joined to the last one if that takes it
// and has not been written.
func (o *outbox) putGrowing(ctx context.Context, g Growing) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.await(ctx)
	if n := len(o.queue); n > 0 && !o.closed {
		if last := o.queue[n-1].growing; last != nil {
			if added, ok := last.Join(g); ok {
				o.bytes += added
				return true
			}
		}
	}
	return o.add(outItem{growing: g}, g.Size())
}

// await waits for room. o.mu is held, but not while it waits.
func (o *outbox) await(ctx context.Context) {
	for o.bytes > softOut && !o.closed && ctx.Err() == nil {
		room := o.room
		o.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
		case <-o.dead:
		}
		o.mu.Lock()
	}
}

// add queues an item. o.mu is held.
func (o *outbox) add(it outItem, size int) bool {
	if o.closed {
		return false
	}
	if o.bytes+size > hardOut {
		o.fail(errors.New("the client does not read"))
		return false
	}
	o.bytes += size
	o.queue = append(o.queue, it)
	o.signal()
	return true
}

// fail gives the client up. o.mu is held.
func (o *outbox) fail(err error) {
	if o.err == nil {
		o.closed, o.err = true, err
		close(o.dead)
		o.signal()
	}
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run writes what is queued until the outbox is closed or the client is gone.
func (o *outbox) run() {
	defer close(o.done)
	var buf []byte
	var queue []outItem
	for {
		o.mu.Lock()
		o.queue, queue = queue[:0], o.queue
		o.bytes = 0
		close(o.room)
		o.room = make(chan struct{})
		closed := o.closed
		failed := o.err != nil
		o.mu.Unlock()
		if failed || closed && len(queue) == 0 {
			return
		}
		for i, it := range queue {
			frame := it.frame
			if it.growing != nil {
				buf = it.growing.Encode(buf[:0])
				frame = buf
			}
			o.frame(frame)
			queue[i] = outItem{}
		}
		if len(queue) > 0 {
			if err := o.w.Flush(); err != nil {
				o.mu.Lock()
				o.fail(err)
				o.mu.Unlock()
				return
			}
			continue
		}
		<-o.wake
	}
}

// frame writes one message; bufio keeps the first error for Flush.
func (o *outbox) frame(b []byte) {
	if o.framing == Lines {
		o.w.Write(b)
		o.w.WriteByte('\n')
		return
	}
	o.w.WriteString("Content-Length: ")
	o.w.WriteString(strconv.Itoa(len(b)))
	o.w.WriteString("\r\n\r\n")
	o.w.Write(b)
}

// close lets what is queued go out and ends the writer; done tells when.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.signal()
	o.mu.Unlock()
}
