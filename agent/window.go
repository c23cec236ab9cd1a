package agent

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	// DefaultContext is how many tokens a model is taken to have room for when
	// nobody says.
	DefaultContext = 128_000
	// smallestWindow is the smallest context that is believed.
	smallestWindow = 1000
	// firstBytesPerToken holds until a server has counted.
	firstBytesPerToken = 4.0
)

// room is what is known of a model's context; s.mu guards it.
type room struct {
	model         string  // whose it is
	window        int     // in tokens, as a server's error has told; 0 if none did
	bytesPerToken float64 // as the server's counts say; 0 if there were none
}

// known is what is known of the context of the session's model: what another one
// has taught says nothing about it. s.mu is held.
func (s *Session) known() *room {
	if name := s.model.Name(); s.room.model != name {
		s.room = room{model: name}
	}
	return &s.room
}

// window is how many tokens the model has room for.
func (s *Session) window() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.known().window; n > 0 {
		return n
	}
	if f := s.agent.cfg.Context; f != nil {
		if n := f(s.model.Name()); n > 0 {
			return n
		}
	}
	return DefaultContext
}

// tokens is about how many tokens so many bytes are.
func (s *Session) tokens(bytes int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	per := s.known().bytesPerToken
	if per == 0 {
		per = firstBytesPerToken
	}
	return int(float64(bytes) / per)
}

// calibrate learns from a server's count how many bytes a token is. Counts that
// cannot be are not believed.
func (s *Session) calibrate(requestBytes, inputTokens int) {
	if inputTokens < 100 {
		return
	}
	per := float64(requestBytes) / float64(inputTokens)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known().bytesPerToken = min(max(per, 1), 8)
}

// A server's complaint names its limit ("maximum context length is 8192 tokens",
// "210000 tokens > 200000 maximum"), what was asked for, and parts of that.
var (
	namedLimit  = regexp.MustCompile(`(?i)(?:\bmaximum\b|\bmax\b|\blimit\b|context (?:length|window|size)|\bn_ctx\b)[^0-9]{0,40}?([0-9][0-9,_]{2,})|([0-9][0-9,_]{2,})\s*(?:tokens?\s*)?(?:maximum|max|limit)\b`)
	tokenCounts = regexp.MustCompile(`[0-9][0-9,_]{2,}`)
)

// windowIn reads the model's context from the error of a server; 0 if it does not
// say. Where no number is called the limit, the largest one is what was asked for,
// and the next is taken for the limit.
func windowIn(message string) int {
	number := func(s string) int {
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(s))
		if err != nil || n < smallestWindow {
			return 0
		}
		return n
	}
	for _, m := range namedLimit.FindAllStringSubmatch(message, -1) {
		if n := number(m[1] + m[2]); n > 0 {
			return n
		}
	}
	largest, next := 0, 0
	for _, m := range tokenCounts.FindAllString(message, -1) {
		switch n := number(m); {
		case n > largest:
			largest, next = n, largest
		case n < largest && n > next:
			next = n
		}
	}
	return next
}

// learnWindow learns the model's context from the error of a server. If it does
// not say, the request itself was too long.
func (s *Session) learnWindow(message string, requestBytes int) {
	window := windowIn(message)
	if window == 0 {
		window = max(s.tokens(requestBytes)*9/10, smallestWindow)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.known(); r.window == 0 || window < r.window {
		r.window = window
	}
}
