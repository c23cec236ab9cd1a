package fakemodel

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server plays a script on a loopback port.
type Server struct {
	// URL is the base URL for a client, e.g. "http://127.0.0.1:4711/v1".
	URL string

	http   *http.Server
	answer func(*Request) string // nil if the script answers
	quit   chan struct{}
	done   chan struct{}

	mu       sync.Mutex // guards what follows
	script   *script
	requests []*Request
	errors   []string
	calls    int                  // ids made up so far
	refused  map[[32]byte]bool    // requests that were answered with 400
	last     map[string]time.Time // by conversation: its last request
	meeting  *meeting
}

// New starts a server that plays script; package doc describes its format.
func New(script string) (*Server, error) {
	sc, err := parse(script)
	if err != nil {
		return nil, err
	}
	return start(sc, nil)
}

// NewFunc starts a server that answers each request with the first reply of the
// script that answer gives for it. Requests are checked as always, and refused
// ones are not passed on. answer is called at once from many requests.
func NewFunc(answer func(*Request) string) (*Server, error) { return start(&script{}, answer) }

func start(sc *script, answer func(*Request) string) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the fake model: %w", err)
	}
	s := &Server{
		URL:    "http://" + ln.Addr().String() + "/v1",
		script: sc,
		answer: answer,
		quit:   make(chan struct{}),
		done:   make(chan struct{}),

		refused: map[[32]byte]bool{},
		last:    map[string]time.Time{},
		meeting: newMeeting(),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("POST /v1/chat/completions", s.completions)
	s.http = &http.Server{Handler: mux}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(ln) // always http.ErrServerClosed
	}()
	return s, nil
}

// Close stops the server and drops its connections.
func (s *Server) Close() {
	close(s.quit)
	_ = s.http.Close()
	<-s.done
}

// Requests are the requests so far, also those that were refused.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Errors are what was wrong with the requests so far.
func (s *Server) Errors() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.errors...)
}

// Unused lists the replies that no request has got. Replies with an "if" or
// "forever", and those that a "back" leads over, are not missed.
func (s *Server) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, c := range s.script.conversations {
		for i := c.next; i < len(c.replies); i++ {
			if r := c.replies[i]; len(r.ifs) == 0 && r.repeat > 0 && !r.cycle {
				out = append(out, fmt.Sprintf("script line %d: this reply was not asked for", r.line))
			}
		}
	}
	return out
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"fake","object":"model","created":0,"owned_by":"fakemodel"}]}`)
}

func (s *Server) completions(w http.ResponseWriter, hr *http.Request) {
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return // the client went away
	}
	req, wire, messages, err := readRequest(hr.Header, body)
	s.mu.Lock()
	s.requests = append(s.requests, req)
	set := s.script.settings
	s.mu.Unlock()
	switch {
	case err != nil:
		s.refuse(w, fmt.Sprintf("request %d is not decodable: %v", len(s.Requests()), err))
		return
	case set.key != "" && hr.Header.Get("Authorization") != "Bearer "+set.key:
		fail(w, 401, "invalid_api_key", "Incorrect API key provided")
		return
	case !set.lax && s.again(body):
		s.refuse(w, "strict: a request that was refused with 400 came again unchanged")
		return
	case set.limit > 0 && len(body) > set.limit:
		s.remember(body)
		fail(w, 400, "context_length_exceeded", fmt.Sprintf(
			"This model's maximum context length is %d tokens. However, your messages resulted in %d tokens.", set.limit/4, len(body)/4))
		return
	}
	if !set.lax {
		v := set.violation(body, wire, messages)
		if v != "" {
			s.refuse(w, "strict: "+v)
			return
		}
	}
	if v := set.reasoningViolation(messages); v != "" {
		s.remember(body)
		fail(w, 400, "invalid_request_error", v)
		return
	}
	r, ids, problem := s.pick(req)
	if problem != "" {
		s.refuse(w, problem)
		return
	}
	if r.status == 400 {
		s.remember(body)
	}
	s.play(w, hr, req, r, ids)
}

// pick chooses the reply for a request and the ids of its calls.
func (s *Server) pick(req *Request) (r *reply, ids []string, problem string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answer != nil {
		s.mu.Unlock()
		sc, err := parse(s.answer(req))
		s.mu.Lock()
		if err != nil || len(sc.conversations[0].replies) == 0 {
			return nil, nil, fmt.Sprintf("no reply: %v", err)
		}
		return s.given(sc.conversations[0].replies[0], req)
	}
	conv := s.script.conversations[0]
	first := req.first()
	for _, c := range s.script.conversations[1:] {
		if strings.Contains(first, c.name) {
			conv = c
			break
		}
	}
	now := time.Now()
	if last := s.last[conv.name]; !last.IsZero() {
		req.after = now.Sub(last)
	}
	s.last[conv.name] = now
	for ; conv.next < len(conv.replies); conv.next, conv.used = conv.next+1, 0 {
		r = conv.replies[conv.next]
		if r.skipped(req) {
			continue
		}
		conv.used++
		if conv.used == r.repeat {
			conv.next, conv.used = conv.next+1, 0
			if r.back > 0 {
				conv.next -= 1 + r.back
			}
		}
		return s.given(r, req)
	}
	return nil, nil, fmt.Sprintf("the script has no reply left for this request; its last messages: %s", shorten(req.Last()))
}

// given checks what a reply wants of its request, and names its calls. s.mu is
// held.
func (s *Server) given(r *reply, req *Request) (_ *reply, ids []string, problem string) {
	for _, c := range r.wants {
		if why := c.check(req); why != "" {
			return nil, nil, why
		}
	}
	for _, st := range r.steps {
		if st.kind == "call" && st.id == "" {
			s.calls++
			st.id = fmt.Sprintf("c%d", s.calls)
		}
		if st.kind == "call" {
			ids = append(ids, st.id)
		}
	}
	return r, ids, ""
}

// remember notes that a request was refused because of what it is.
func (s *Server) remember(body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[sha256.Sum256(body)] = true
}

// again reports whether a request was refused before.
func (s *Server) again(body []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[sha256.Sum256(body)]
}

// skipped reports whether an "if" of the reply does not hold.
func (r *reply) skipped(req *Request) bool {
	for _, c := range r.ifs {
		if c.check(req) != "" {
			return true
		}
	}
	return false
}

// refuse records a fault of the client and answers 400.
func (s *Server) refuse(w http.ResponseWriter, problem string) {
	s.mu.Lock()
	s.errors = append(s.errors, problem)
	s.mu.Unlock()
	fail(w, 400, "invalid_request_error", "fakemodel: "+problem)
}

// fail answers with an error body in OpenAI's shape.
func fail(w http.ResponseWriter, status int, code, message string) {
	b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": code, "code": code}})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}
