package tools

import (
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agentd-dev/agentd/editstate"
)

// Mask stands in place of a secret.
const Mask = "[REDACTED]"

// Range is a run of bytes in a text, To not included.
type Range = editstate.Range

// Redactor masks secrets in what goes to the model, the log, the audit and the
// files of a session. It is safe for concurrent use; a nil one masks nothing.
type Redactor struct {
	keys atomic.Pointer[[]string] // that agentd itself holds, the longest first
}

// minKey is the length below which a key is not masked: it would be found
// everywhere.
const minKey = 8

// NewRedactor makes a redactor that also masks the given texts: the keys that
// agentd itself holds. Texts under 8 characters are ignored.
func NewRedactor(keys ...string) *Redactor {
	r := &Redactor{}
	r.keys.Store(&[]string{})
	r.Add(keys...)
	return r
}

// Add masks further texts from now on: keys that agentd has come to hold. It is
// not called by two at once.
func (r *Redactor) Add(keys ...string) {
	all := slices.Clone(*r.keys.Load())
	for _, k := range keys {
		if k = strings.TrimSpace(k); len(k) >= minKey && !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	r.keys.Store(&all)
}

// Find gives the places of the secrets in s: in order, apart from each other.
func (r *Redactor) Find(s string) []Range {
	if r == nil {
		return nil
	}
	var found []Range
	for _, k := range *r.keys.Load() {
		for at := 0; ; {
			i := strings.Index(s[at:], k)
			if i < 0 {
				break
			}
			found = append(found, Range{From: at + i, To: at + i + len(k)})
			at += i + len(k)
		}
	}
	for set := scanner().rules(s); set != 0; set &= set - 1 {
		found = secretRules[bits.TrailingZeros64(set)].find(s, found)
	}
	return merge(found)
}

// find appends what the rule finds in s.
func (rule *secretRule) find(s string, found []Range) []Range {
	for _, at := range rule.re.FindAllStringSubmatchIndex(s, -1) {
		m := make([]string, len(at)/2)
		group := rule.group
		for i := range m {
			if at[2*i] < 0 {
				continue
			}
			m[i] = s[at[2*i]:at[2*i+1]]
			if rule.group < 0 && i > 0 { // the one that there is
				group = i
			}
		}
		if rule.really == nil || rule.really(m) {
			found = append(found, Range{From: at[2*group], To: at[2*group+1]})
		}
	}
	return found
}

// merge sorts ranges and joins those that overlap.
func merge(found []Range) []Range {
	if len(found) < 2 {
		return found
	}
	slices.SortFunc(found, func(a, b Range) int { return a.From - b.From })
	out := found[:1]
	for _, f := range found[1:] {
		if last := &out[len(out)-1]; f.From <= last.To {
			last.To = max(last.To, f.To)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// Text masks the secrets in s. Each line keeps its number: of a secret that has
// several, each is masked.
func (r *Redactor) Text(s string) string {
	found := r.Find(s)
	if len(found) == 0 {
		return s
	}
	var out strings.Builder
	done := 0
	for _, f := range found {
		out.WriteString(s[done:f.From])
		out.WriteString(Mask)
		for range strings.Count(s[f.From:f.To], "\n") {
			out.WriteString("\n" + Mask)
		}
		done = f.To
	}
	out.WriteString(s[done:])
	return out.String()
}

// Hide is Text, under the name that the file world has for it.
func (r *Redactor) Hide(s string) string { return r.Text(s) }

// Clean reports whether Text would leave s as it is.
func (r *Redactor) Clean(s string) bool { return len(r.Find(s)) == 0 }
