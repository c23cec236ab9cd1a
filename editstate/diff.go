package editstate

import (
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// anchorAbove is the number of lines above which a diff is first cut at lines
// that occur once on both sides: the library gives up on detail after about a
// hundred differences.
const anchorAbove = 200

// diffLines gives the differences between a and b in order, as half-open index
// ranges; equal lines at both ends are never part of one.
func diffLines(a, b []string) []lcs.Diff {
	var out []lcs.Diff
	diffInto(&out, a, b, 0, 0)
	return out
}

func diffInto(out *[]lcs.Diff, a, b []string, ao, bo int) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
		ao++
		bo++
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 0 && len(b) == 0:
		return
	case len(a) == 0 || len(b) == 0:
		push(out, lcs.Diff{Start: ao, End: ao + len(a), ReplStart: bo, ReplEnd: bo + len(b)})
		return
	}
	if len(a)+len(b) > anchorAbove {
		if anchors := commonUnique(a, b); len(anchors) > 0 {
			pa, pb := 0, 0
			for _, p := range anchors {
				diffInto(out, a[pa:p.a], b[pb:p.b], ao+pa, bo+pb)
				pa, pb = p.a+1, p.b+1
			}
			diffInto(out, a[pa:], b[pb:], ao+pa, bo+pb)
			return
		}
	}
	for _, d := range lcs.DiffLines(a, b) {
		push(out, lcs.Diff{Start: ao + d.Start, End: ao + d.End, ReplStart: bo + d.ReplStart, ReplEnd: bo + d.ReplEnd})
	}
}

// push adds d, joined to the one before it if they touch.
func push(out *[]lcs.Diff, d lcs.Diff) {
	if n := len(*out); n > 0 {
		if last := &(*out)[n-1]; last.End == d.Start && last.ReplEnd == d.ReplStart {
			last.End, last.ReplEnd = d.End, d.ReplEnd
			return
		}
	}
	*out = append(*out, d)
}

type anchor struct{ a, b int }

// commonUnique gives lines that occur exactly once in a and once in b, as the
// longest run that is in the same order in both (patience diff).
func commonUnique(a, b []string) []anchor {
	type places struct{ na, nb, a, b int }
	seen := make(map[string]*places, len(a))
	for i, s := range a {
		p := seen[s]
		if p == nil {
			p = &places{}
			seen[s] = p
		}
		p.na++
		p.a = i
	}
	for i, s := range b {
		if p := seen[s]; p != nil {
			p.nb++
			p.b = i
		}
	}
	var pairs []anchor
	for i, s := range a {
		if p := seen[s]; p.na == 1 && p.nb == 1 {
			pairs = append(pairs, anchor{i, p.b})
		}
	}
	// Longest increasing subsequence of b's places.
	var tails []int // index into pairs of the smallest tail of each length
	prev := make([]int, len(pairs))
	for i, p := range pairs {
		k := sort.Search(len(tails), func(k int) bool { return pairs[tails[k]].b >= p.b })
		prev[i] = -1
		if k > 0 {
			prev[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	out := make([]anchor, len(tails))
	if len(tails) > 0 {
		for i, k := tails[len(tails)-1], len(tails)-1; k >= 0; i, k = prev[i], k-1 {
			out[k] = pairs[i]
		}
	}
	return out
}
