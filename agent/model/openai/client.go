// Package openai is the model behind an OpenAI-compatible chat completions
// server. It is the only package that imports openai-go, which makes the HTTP
// request; the reply is read by package model.
package openai

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Config says which server and model to use.
type Config struct {
	// BaseURL is e.g. "https://api.openai.com/v1"; "" is that one.
	BaseURL string
	// APIKey may be empty: local servers want none.
	APIKey string
	// KeyName is where a user sets the key, for messages; "" names the usual
	// environment variables.
	KeyName string
	Model   string
	// HTTPClient is for tests and proxies; nil makes one.
	HTTPClient *http.Client
	// IdleTimeout ends a request when no byte has come for so long;
	// 0 is DefaultIdleTimeout.
	IdleTimeout time.Duration
	// Settings change what QuirksFor says about the server, one after the other.
	Settings []Settings
}

// DefaultIdleTimeout is long: a model may think for a while before it speaks.
const DefaultIdleTimeout = 120 * time.Second

const defaultBaseURL = "https://api.openai.com/v1"

// maxAdaptions bounds how often one request is sent in another form.
const maxAdaptions = 3

// Client is a model behind a server. It implements model.Model.
type Client struct {
	cfg         Config
	baseURL     *url.URL
	completions openai.ChatCompletionService
	options     []option.RequestOption
	quirks      atomic.Pointer[Quirks]
	tools       toolCache
	system      atomic.Pointer[systemText]
	draining    atomic.Int32 // replies whose end is being read
}

// New makes a client. It does not connect.
func New(cfg Config) (*Client, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = defaultBaseURL
	}
	cfg.APIKey = strings.TrimSpace(cfg.APIKey)
	if cfg.KeyName == "" {
		cfg.KeyName = "MODEL_API_KEY or OPENAI_API_KEY"
	}
	if cfg.IdleTimeout == 0 {
		cfg.IdleTimeout = DefaultIdleTimeout
	}
	if cfg.HTTPClient == nil {
		cfg.HTTPClient = newHTTPClient()
	}
	if strings.ContainsFunc(cfg.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, &model.Error{Kind: model.ErrAuth, Message: "the API key holds a space, a line break or another character that no key has; check " + cfg.KeyName}
	}
	u, err := url.Parse(strings.TrimSpace(cfg.BaseURL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &model.Error{Kind: model.ErrUnavailable, Message: "the base URL must be an http or https URL such as " + defaultBaseURL}
	}
	if u.Path != "" {
		u.Path = strings.TrimRight(u.Path, "/") + "/"
	}
	c := &Client{cfg: cfg, baseURL: u}
	q := QuirksFor(u.Hostname())
	for _, s := range cfg.Settings {
		if err := s.Check(); err != nil {
			return nil, &model.Error{Kind: model.ErrUnavailable, Message: "the settings of the model: " + err.Error(), Err: err}
		}
		s.apply(&q, &c.cfg.IdleTimeout)
	}
	c.quirks.Store(&q)
	c.options = []option.RequestOption{
		option.WithBaseURL(u.String()),
		option.WithHTTPClient(cfg.HTTPClient),
		option.WithMaxRetries(0),
		option.WithHeader("User-Agent", "agentd"),
		option.WithMiddleware(c.refuseStatus),
	}
	if cfg.APIKey != "" {
		c.options = append(c.options, option.WithAPIKey(cfg.APIKey))
	}
	c.completions = openai.NewChatCompletionService(c.options...)
	return c, nil
}

// newHTTPClient makes a client whose connections are kept for the next request
// and whose buffers suit long requests.
func newHTTPClient() *http.Client {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	if d, ok := http.DefaultTransport.(*http.Transport); ok {
		t = d.Clone()
	}
	t.MaxIdleConnsPerHost = 8
	t.WriteBufferSize = 64 << 10
	t.ReadBufferSize = 16 << 10
	return &http.Client{Transport: t}
}

// Name is the model's name.
func (c *Client) Name() string { return c.cfg.Model }

// Stream implements model.Model. A request that the server refuses because of
// its form is sent again in the form that the server asks for, before anything
// has been yielded; a form that was refused is not tried again.
func (c *Client) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		var tried []Quirks
		var first error
		for {
			q := c.quirks.Load()
			err := c.once(ctx, req, *q, yield)
			if err == nil {
				return
			}
			if first == nil {
				first = err
			}
			tried = append(tried, *q)
			if adapted, ok := c.adapt(req, *q, err); ok && len(tried) <= maxAdaptions && !slices.Contains(tried, adapted) {
				c.quirks.CompareAndSwap(q, &adapted)
				if adapted.NoImages != q.NoImages && !yield(model.Notice{Kind: "no_images", Text: c.cfg.Model + " takes no images; it is told so in their place"}, nil) {
					return
				}
				if adapted.NoEffort != q.NoEffort && !yield(model.Notice{Kind: "no_effort", Text: c.cfg.Model + " does not take the level of thought that was chosen; it is asked without"}, nil) {
					return
				}
				continue
			}
			if isRefusal(err) && len(tried) > 1 { // it was not the form
				c.quirks.CompareAndSwap(q, &tried[0])
				err = first
			}
			yield(nil, err)
			return
		}
	}
}

func isRefusal(err error) bool {
	var e *model.Error
	return errors.As(err, &e) && e.Kind == model.ErrBadRequest
}

// adapt gives the form in which a request may be accepted that was refused.
func (c *Client) adapt(req *model.Request, q Quirks, err error) (Quirks, bool) {
	var e *model.Error
	if !errors.As(err, &e) {
		return q, false
	}
	images := slices.ContainsFunc(req.Messages, (*model.Message).HasImages)
	if e.Kind == model.ErrBadRequest {
		adapted, ok := q.adapt(e.Message, images)
		if adapted.NoEffort != q.NoEffort && req.Effort == "" { // there was none
			return q, false
		}
		return adapted, ok
	}
	// Some servers call it a fault of their own.
	if e.Status == http.StatusInternalServerError && images && !q.NoImages && refusesImages(strings.ToLower(e.Message)) {
		q.NoImages = true
		return q, true
	}
	return q, false
}

// once sends the request and yields the reply. The error is of a request that
// failed before anything was yielded.
func (c *Client) once(ctx context.Context, req *model.Request, q Quirks, yield func(model.Event, error) bool) error {
	body, err := c.body(req, q)
	if err != nil {
		return &model.Error{Kind: model.ErrBadRequest, Message: "the request cannot be encoded: " + err.Error(), Err: err}
	}
	r, err := c.send(ctx, body)
	if err != nil {
		return err
	}
	defer r.close()
	for e, err := range r.events() {
		if err != nil {
			yield(nil, c.redacted(err))
			return nil
		}
		if _, ok := e.(model.Finish); ok {
			r.drain(&c.draining)
		}
		if !yield(e, nil) {
			return nil
		}
	}
	return nil
}

// send makes the request and gives the open reply.
func (c *Client) send(ctx context.Context, body []byte) (*reply, error) {
	r := newReply(ctx, c.cfg.IdleTimeout)
	var res *http.Response
	_, err := c.completions.New(r.ctx, openai.ChatCompletionNewParams{},
		option.WithRequestBody("application/json", body),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithResponseBodyInto(&res))
	if err != nil {
		err = c.connectionError(r.failure(err))
		r.close()
		return nil, c.redacted(err)
	}
	r.open(res)
	return r, nil
}
