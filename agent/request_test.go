package agent

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agentd-dev/agentd/agent/model"
)

// TestRetryWait is M20: what the server asks for is heeded, within bounds.
func TestRetryWait(t *testing.T) {
	for _, tc := range []struct {
		name        string
		err         error
		try         int
		ok          bool
		least, most time.Duration
	}{
		{"first", &model.Error{Kind: model.ErrOverloaded}, 0, true, firstBackoff, firstBackoff * 3 / 2},
		{"fourth", &model.Error{Kind: model.ErrCut}, 3, true, 8 * firstBackoff, 12 * firstBackoff},
		{"no fifth", &model.Error{Kind: model.ErrCut}, maxRetries, false, 0, 0},
		{"asked for more", &model.Error{Kind: model.ErrRateLimit, RetryAfter: 3 * time.Second}, 0, true, 3 * time.Second, 3300 * time.Millisecond},
		{"asked for less", &model.Error{Kind: model.ErrRateLimit, RetryAfter: time.Millisecond}, 1, true, 2 * firstBackoff, 3 * firstBackoff},
		{"the longest", &model.Error{Kind: model.ErrRateLimit, RetryAfter: maxRetryAfter}, 0, true, maxRetryAfter, maxRetryAfter * 11 / 10},
		{"absurd", &model.Error{Kind: model.ErrRateLimit, RetryAfter: 24 * time.Hour}, 0, false, 0, 0},
		{"does not pass", &model.Error{Kind: model.ErrBadRequest, RetryAfter: time.Second}, 0, false, 0, 0},
		{"context", &model.Error{Kind: model.ErrContextLength}, 0, false, 0, 0},
		{"something else", errors.New("no model error"), 0, false, 0, 0},
	} {
		seen := map[time.Duration]bool{}
		for range 200 {
			d, ok := retryWait(tc.err, tc.try)
			seen[d] = true
			if ok != tc.ok || d < tc.least || d > tc.most {
				t.Fatalf("%s: %v %v", tc.name, d, ok)
			}
		}
		if tc.ok && len(seen) < 2 {
			t.Errorf("%s: nothing is left to chance", tc.name)
		}
	}
}

func TestTooLongToWait(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		90 * time.Second: "; the server asks to come back in 2 minutes",
		time.Hour:        "in 60 minutes",
		24 * time.Hour:   "in 24 hours",
		30 * time.Second: "slow down (HTTP 429)",
	} {
		err := tooLongToWait(&model.Error{Kind: model.ErrRateLimit, Status: 429, Message: "slow down", RetryAfter: wait})
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", wait, err)
		}
	}
	if e := errors.New("x"); tooLongToWait(e) != e {
		t.Error("another error was changed")
	}
}
