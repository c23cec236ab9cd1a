package fakemodel

import "sync"

// meeting lets requests wait for each other: only if as many as the script says
// are open at once do they go on.
type meeting struct {
	mu    sync.Mutex
	there int
	open  chan struct{} // closed when all are there
}

func newMeeting() *meeting { return &meeting{open: make(chan struct{})} }

// meet waits until n requests are here; it reports false if the client or the
// server went away.
func (s *Server) meet(n int, gone <-chan struct{}) bool {
	m := s.meeting
	m.mu.Lock()
	m.there++
	open := m.open
	if m.there == n {
		close(open)
		m.there, m.open = 0, make(chan struct{})
	}
	m.mu.Unlock()
	select {
	case <-open:
		return true
	case <-gone:
	case <-s.quit:
	}
	return false
}
