package tools

import (
	"strings"
	"sync"
)

// keywordScan finds in one pass over a text which rules it has keywords of.
type keywordScan struct {
	first [1 << 16]uint8 // by the first two bytes: the list of words, from 1
	words [][]keyword
}

type keyword struct {
	text string
	rule int
}

var scanner = sync.OnceValue(func() *keywordScan {
	k := &keywordScan{}
	for i := range secretRules {
		for _, w := range secretRules[i].keywords {
			pair := int(w[0])<<8 | int(w[1])
			if k.first[pair] == 0 {
				k.words = append(k.words, nil)
				k.first[pair] = uint8(len(k.words))
			}
			at := k.first[pair] - 1
			k.words[at] = append(k.words[at], keyword{w, i})
		}
	}
	return k
})

// rules gives, in a bit set, the rules that have a keyword in s.
func (k *keywordScan) rules(s string) (found uint64) {
	for i := 1; i < len(s); i++ {
		at := k.first[int(s[i-1])<<8|int(s[i])]
		if at == 0 {
			continue
		}
		for _, w := range k.words[at-1] {
			if found&(1<<w.rule) == 0 && strings.HasPrefix(s[i-1:], w.text) {
				found |= 1 << w.rule
			}
		}
	}
	return found
}
