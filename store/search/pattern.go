package search

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// pattern is a folded word, or several that follow each other.
type pattern [][]byte

// span is a match: the bytes from start to end.
type span struct{ start, end int }

func appendPattern(list []pattern, text string) []pattern {
	var p pattern
	for _, word := range strings.Fields(text) {
		p = append(p, fold(nil, word))
	}
	if p == nil {
		return list
	}
	return append(list, p)
}

// find returns the first match in folded text, beginning at an offset.
func (p pattern) find(folded []byte, from int) (span, bool) {
	for from <= len(folded) {
		i := bytes.Index(folded[from:], p[0])
		if i < 0 {
			return span{}, false
		}
		start := from + i
		if end, ok := p.follow(folded, start+len(p[0])); ok {
			return span{start, end}, true
		}
		from = start + 1
	}
	return span{}, false
}

// follow reports whether the pattern's other words follow at an offset, and
// where they end.
func (p pattern) follow(folded []byte, at int) (end int, ok bool) {
	for _, word := range p[1:] {
		rest := bytes.TrimLeftFunc(folded[at:], unicode.IsSpace)
		if len(rest) == len(folded)-at || !bytes.HasPrefix(rest, word) {
			return 0, false
		}
		at = len(folded) - len(rest) + len(word)
	}
	return at, true
}

// in reports whether text contains the pattern.
func (p pattern) in(text string) bool {
	_, ok := p.find(fold(nil, text), 0)
	return ok
}

// spans returns where any of the patterns matches, in the order of the text, at
// most limit. Matches that overlap become one.
func spans(patterns []pattern, folded []byte, limit int) []span {
	var list []span
	for _, p := range patterns {
		for from, n := 0, 0; n < limit; n++ {
			s, ok := p.find(folded, from)
			if !ok {
				break
			}
			list = append(list, s)
			from = s.end
		}
	}
	slices.SortFunc(list, func(a, b span) int { return a.start - b.start })
	merged := list[:0]
	for _, s := range list {
		if last := len(merged) - 1; last >= 0 && s.start <= merged[last].end {
			merged[last].end = max(merged[last].end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	return merged[:min(len(merged), limit)]
}
