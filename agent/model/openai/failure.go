package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
	"github.com/openai/openai-go/v3/option"
)

// maxErrorBody bounds what is read of an error answer.
const maxErrorBody = 64 << 10

// maxRetryAfter bounds what a server may ask for: beyond it the number means
// nothing.
const maxRetryAfter = 30 * 24 * time.Hour

// refuseStatus is a middleware that turns an HTTP error into a model error.
// The library would read its body without a bound, and lose the status if the
// body is no JSON.
func (c *Client) refuseStatus(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if err != nil || res.StatusCode < 300 {
		return res, err
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	_ = res.Body.Close()
	return nil, c.statusError(res, body)
}

func (c *Client) statusError(res *http.Response, body []byte) *model.Error {
	status := res.StatusCode
	said := model.ParseErrorBody(body)
	if said == nil {
		said = &model.ErrorBody{Message: plainText(body)}
	}
	e := &model.Error{
		Kind:       said.Kind(status),
		Status:     status,
		RetryAfter: retryAfter(res.Header, time.Now()),
	}
	host := c.baseURL.Host
	why := ""
	if said.Message != "" {
		why = ": " + said.Message
	}
	switch {
	case status < 400:
		e.Kind = model.ErrUnavailable
		e.Message = fmt.Sprintf("%s redirects elsewhere; check the base URL", host)
	case e.Kind == model.ErrAuth && c.cfg.APIKey == "":
		e.Message = fmt.Sprintf("%s wants an API key%s; set %s", host, why, c.cfg.KeyName)
	case e.Kind == model.ErrAuth:
		e.Message = fmt.Sprintf("%s refused the API key%s; check %s", host, why, c.cfg.KeyName)
	case status == 404 && c.aboutModel(said):
		e.Message = fmt.Sprintf("%s has no model %q%s; choose another with --model or MODEL", host, c.cfg.Model, why)
	case status == 404:
		e.Message = fmt.Sprintf("there is no chat completions server at %s%s; check the base URL (it usually ends in /v1)", c.baseURL.Redacted(), why)
	case e.Kind == model.ErrRateLimit:
		e.Message = fmt.Sprintf("%s limits the rate of requests%s", host, why)
	case e.Kind == model.ErrOverloaded:
		e.Message = fmt.Sprintf("%s is out of order or overloaded%s", host, why)
	case e.Kind == model.ErrContextLength:
		e.Message = "the conversation is longer than the model's context" + why
	default:
		e.Message = fmt.Sprintf("%s refused the request%s", host, why)
	}
	e.Message = shorten(e.Message)
	return e
}

// aboutModel reports whether a 404 is about the model, not about the URL.
func (c *Client) aboutModel(said *model.ErrorBody) bool {
	all := strings.ToLower(said.Code + " " + said.Message)
	return strings.Contains(all, "model") || c.cfg.Model != "" && strings.Contains(all, strings.ToLower(c.cfg.Model))
}

// plainText is a body that is no JSON; a web page says nothing to a person.
func plainText(body []byte) string {
	if b := bytes.TrimSpace(body); !bytes.HasPrefix(b, []byte("<")) {
		return string(b)
	}
	return ""
}

// shorten bounds a message; the cut is where no character is broken.
func shorten(s string) string {
	const most = 1000
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " ..."
	}
	return s
}

// retryAfter reads how long the server asks to wait, 0 if it does not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	for _, name := range []string{"Retry-After-Ms", "Retry-After"} {
		v := strings.TrimSpace(h.Get(name))
		if v == "" {
			continue
		}
		unit := time.Second
		if name == "Retry-After-Ms" {
			unit = time.Millisecond
		}
		var d time.Duration
		if n, err := strconv.ParseFloat(v, 64); err == nil || n > 0 {
			if n > float64(maxRetryAfter/unit) {
				return maxRetryAfter
			}
			d = time.Duration(n * float64(unit))
		} else if t, err := http.ParseTime(v); err == nil {
			d = min(t.Sub(now), maxRetryAfter)
		}
		if d > 0 {
			return d
		}
	}
	return 0
}

// connectionError makes the error of a request that got no answer.
func (c *Client) connectionError(err error) error {
	if e := (*model.Error)(nil); errors.As(err, &e) {
		return e
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err // without the URL, which may hold a password
	}
	e := &model.Error{Kind: model.ErrConnection, Err: err}
	var dns *net.DNSError
	host := c.baseURL.Host
	ip := net.ParseIP(c.baseURL.Hostname())
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Message = fmt.Sprintf("the model server %s is not known: check the base URL and the network", host)
	case ip != nil && ip.IsLoopback() || c.baseURL.Hostname() == "localhost":
		e.Message = fmt.Sprintf("cannot reach the model server at %s: is it running? (%v)", host, err)
	default:
		e.Message = fmt.Sprintf("cannot reach the model server %s: %v", host, err)
	}
	return e
}

// redacted takes the key out of an error's message. Servers echo it.
func (c *Client) redacted(err error) error {
	e := (*model.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	clean := *e
	clean.Message = c.redact(e.Message)
	if e.Err != nil && c.redact(e.Err.Error()) != e.Err.Error() {
		clean.Err = nil
	}
	return &clean
}

func (c *Client) redact(s string) string {
	const mark = "[redacted]"
	if c.cfg.APIKey != "" {
		s = strings.ReplaceAll(s, "Bearer "+c.cfg.APIKey, "Bearer "+mark)
		if len(c.cfg.APIKey) >= 6 { // less is no secret, and may be part of a word
			s = strings.ReplaceAll(s, c.cfg.APIKey, mark)
			s = strings.ReplaceAll(s, url.QueryEscape(c.cfg.APIKey), mark)
			for n := len(c.cfg.APIKey) - 1; n >= 6; n-- { // a long text may have been cut inside the key
				s = strings.ReplaceAll(s, c.cfg.APIKey[:n]+" ...", mark+" ...")
			}
		}
	}
	if u := c.baseURL.User; u != nil {
		if p, ok := u.Password(); ok && p != "" {
			s = strings.ReplaceAll(s, p, mark)
		}
	}
	return s
}
