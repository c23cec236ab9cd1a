package agent

import (
	"context"
	"sync"
)

// queue keeps the questions of calls that run side by side in the order of the
// calls: each waits until those before it have been decided.
type queue struct {
	decided []chan struct{}
	once    []sync.Once
}

func newQueue(n int) *queue {
	q := &queue{decided: make([]chan struct{}, n), once: make([]sync.Once, n)}
	for i := range q.decided {
		q.decided[i] = make(chan struct{})
	}
	return q
}

// decide notes that call i needs no question any more: it runs, or has ended.
func (q *queue) decide(i int) { q.once[i].Do(func() { close(q.decided[i]) }) }

type placeKey struct{}

// place is a call's place in a queue.
type place struct {
	q *queue
	i int
}

// with gives the context for call i.
func (q *queue) with(ctx context.Context, i int) context.Context {
	return context.WithValue(ctx, placeKey{}, place{q, i})
}

// await waits for the calls before the one that ctx belongs to.
func await(ctx context.Context) error {
	p, ok := ctx.Value(placeKey{}).(place)
	if !ok {
		return nil
	}
	for _, before := range p.q.decided[:p.i] {
		select {
		case <-before:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
