package agent

import (
	"math"
	"testing"

	"github.com/agentd-dev/agentd/agent/model"
)

func TestPrice(t *testing.T) {
	half := 0.5
	for _, tc := range []struct {
		p    Price
		u    model.Usage
		want float64
	}{
		{Price{Input: 2, Output: 8}, model.Usage{InputTokens: 1e6, OutputTokens: 1e6}, 10},
		{Price{Input: 2, Output: 8}, model.Usage{InputTokens: 1e6, CachedTokens: 1e6}, 2},
		{Price{Input: 2, Output: 8, Cached: &half}, model.Usage{InputTokens: 1e6, CachedTokens: 4e5}, 1.4},
		{Price{Input: 2, Output: 8, Cached: &half}, model.Usage{InputTokens: 10, CachedTokens: 1e6}, 5e-6},
		{Price{}, model.Usage{InputTokens: 10}, 0},
	} {
		if got := tc.p.of(tc.u); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%+v %+v: %v, not %v", tc.p, tc.u, got, tc.want)
		}
	}
}

// TestAccount checks that turns, models and missing prices are told apart, and
// that what was stored adds up to the same.
func TestAccount(t *testing.T) {
	one, two := 1.0, 2.0
	u := model.Usage{InputTokens: 10, OutputTokens: 1}
	var a, again account
	for _, r := range []struct {
		turn, model string
		cost        *float64
	}{{"t1", "m", &one}, {"t1", "m", &two}, {"t2", "free", nil}, {"t3", "m", &one}, {"t3", "free", nil}} {
		a.add(r.turn, r.model, u, r.cost)
		again.replay(r.turn, UsageEvent{Model: r.model, Request: u, Cost: a.known(), Unpriced: r.cost == nil})
	}
	for _, got := range []account{a, again} {
		if got.cost != (Cost{Request: 0, Turn: 1, Session: 4, Unpriced: 2}) || got.total.InputTokens != 50 || got.last.InputTokens != 20 || !got.priced {
			t.Errorf("%+v", got)
		}
		if len(got.models) != 2 || got.models[0].requests != 3 || got.models[0].cost != 4 || got.models[1].unpriced != 2 {
			t.Errorf("%+v", got.models)
		}
	}
	var none account
	if none.add("t1", "free", u, nil); none.known() != nil || none.priced {
		t.Error("a cost without any price")
	}
}
