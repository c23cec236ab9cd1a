package openai

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
)

func TestStatus(t *testing.T) {
	for _, tc := range []struct {
		status   int
		body     string
		kind     model.ErrorKind
		mentions string
		retry    bool
	}{
		{401, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`, model.ErrAuth, "MODEL_API_KEY", false},
		{403, `{"error":"forbidden region"}`, model.ErrAuth, "forbidden region", false},
		{404, `{"error":{"message":"The model 'm' does not exist","code":"model_not_found"}}`, model.ErrUnavailable, `no model "m"`, false},
		{404, `<html>404</html>`, model.ErrUnavailable, "base URL", false},
		{404, ``, model.ErrUnavailable, "/v1", false},
		{402, `{"error":{"message":"Insufficient Balance"}}`, model.ErrUnavailable, "Insufficient Balance", false},
		{429, `{"error":{"message":"slow down"}}`, model.ErrRateLimit, "slow down", true},
		{429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, model.ErrUnavailable, "quota", false},
		{500, `oops`, model.ErrOverloaded, "oops", true},
		{502, `<html><h1>Bad gateway</h1></html>`, model.ErrOverloaded, "out of order", true},
		{503, `{"error":{"message":"loading model"}}`, model.ErrOverloaded, "loading model", true},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, model.ErrOverloaded, "Overloaded", true},
		{408, ``, model.ErrOverloaded, "", true},
		{422, `{"detail":[{"loc":["body","x"],"msg":"field required"}]}`, model.ErrBadRequest, "field required", false},
		{400, `[{"error":{"code":400,"message":"bad thing","status":"INVALID_ARGUMENT"}}]`, model.ErrBadRequest, "bad thing", false},
		{400, `not json`, model.ErrBadRequest, "not json", false},
		{300, ``, model.ErrUnavailable, "redirects", false},
		// How servers say that the context is too small.
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","code":"context_length_exceeded"}}`, model.ErrContextLength, "longer than", false},
		{400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, model.ErrContextLength, "", false},
		{400, `{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}`, model.ErrContextLength, "", false},
		{400, `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (4096 tokens)","type":"exceed_context_size_error"}}`, model.ErrContextLength, "", false},
		{500, `{"error":{"message":"the request exceeds the available context size. try increasing the context size"}}`, model.ErrContextLength, "", false},
		{400, `{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError"}`, model.ErrContextLength, "", false},
		{400, `{"error":{"message":"Please reduce the length of the messages or completion."}}`, model.ErrContextLength, "", false},
		{400, `{"code":"InvalidParameter","message":"Range of input length should be [1, 129024]"}`, model.ErrContextLength, "", false},
		{400, `{"error":{"message":"Input is too long for requested model."}}`, model.ErrContextLength, "", false},
		{413, ``, model.ErrContextLength, "", false},
		{413, `{"error":{"message":"Request too large for model m on tokens per minute (TPM): Limit 6000, Requested 7000"}}`, model.ErrContextLength, "", false},
		{400, `{"error":{"message":"This endpoint's maximum context length is 32768 tokens."}}`, model.ErrContextLength, "", false},
		{400, `{"error":{"message":"Invalid 'max_tokens': too big"}}`, model.ErrBadRequest, "", false},
	} {
		t.Run(strconv.Itoa(tc.status)+" "+tc.body[:min(30, len(tc.body))], func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body))
			})
			e := failure(t, client(t, url), user("hi"))
			if e.Kind != tc.kind || e.Status != tc.status || !strings.Contains(e.Error(), tc.mentions) || e.Retryable() != tc.retry {
				t.Errorf("kind %s, status %d, retry %v: %s", e.Kind, e.Status, e.Retryable(), e)
			}
		})
	}
}

func TestNoKey(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) })
	e := failure(t, client(t, url, func(c *Config) { c.APIKey = "" }), user("hi"))
	if !strings.Contains(e.Message, "wants an API key; set MODEL_API_KEY") {
		t.Error(e.Message)
	}
}

// TestKeyIsNeverShown is A17: servers echo what they were sent.
func TestKeyIsNeverShown(t *testing.T) {
	const key = "sk-test-0123456789"
	for name, answer := range map[string]func(http.ResponseWriter){
		"header": func(w http.ResponseWriter) {
			w.WriteHeader(401)
			_, _ = w.Write([]byte(`{"error":{"message":"bad header Authorization: Bearer ` + key + `"}}`))
		},
		"plain": func(w http.ResponseWriter) {
			w.WriteHeader(500)
			_, _ = w.Write([]byte("key=" + key))
		},
		"cut inside the key": func(w http.ResponseWriter) {
			w.WriteHeader(400)
			_, _ = w.Write([]byte(strings.Repeat("x", 945) + key + strings.Repeat("y", 500)))
		},
		"in the stream": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(`data: {"error":{"message":"bad key ` + key + `"}}` + "\n\n"))
		},
		"cut in the stream": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(`data: {"error":{"message":"` + strings.Repeat("x", 590) + key + `"}}` + "\n\n"))
		},
		"no completion": func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"key":"` + key + `"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) { answer(w) })
			e := failure(t, client(t, url), user("hi"))
			all := e.Error()
			if e.Err != nil {
				all += e.Err.Error()
			}
			if strings.Contains(all, key[:6]) || !strings.Contains(all, "[redacted]") {
				t.Error(all)
			}
		})
	}
}

func TestPasswordIsNeverShown(t *testing.T) {
	e := failure(t, client(t, "http://user:hunter2secret@127.0.0.1:1/v1"), user("hi"))
	if e.Kind != model.ErrConnection || strings.Contains(e.Error(), "hunter2secret") || e.Err != nil && strings.Contains(e.Err.Error(), "hunter2secret") {
		t.Error(e)
	}
}

func TestUnreachable(t *testing.T) {
	e := failure(t, client(t, "http://127.0.0.1:1/v1"), user("hi"))
	if e.Kind != model.ErrConnection || !e.Retryable() || !strings.Contains(e.Message, "is it running?") {
		t.Error(e)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tc := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "3", 3 * time.Second},
		{"Retry-After", " 1.5 ", 1500 * time.Millisecond},
		{"Retry-After", "86400", 24 * time.Hour},
		{"Retry-After", now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		{"Retry-After", now.Add(-90 * time.Second).Format(http.TimeFormat), 0},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
		{"Retry-After", "1e300", maxRetryAfter},
		{"Retry-After", "1e999", maxRetryAfter},
		{"Retry-After", "NaN", 0},
		{"Retry-After", "-5", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "", 0},
	} {
		h := http.Header{}
		h.Set(tc.name, tc.value)
		if got := retryAfter(h, now); got != tc.want {
			t.Errorf("%s: %s: got %v, want %v", tc.name, tc.value, got, tc.want)
		}
	}
	s := fake(t, "status 429\nheader Retry-After: 3")
	if e := failure(t, client(t, s.URL), user("hi")); e.RetryAfter != 3*time.Second {
		t.Errorf("got %v", e.RetryAfter)
	}
}
