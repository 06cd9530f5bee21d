package diff

import (
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Step is one step from one sequence to another. The element at Old stays and is
// the element at New, or the element at Old is removed, or the element at New is
// added. An index that does not apply is -1.
type Step struct {
	Op       Op
	Old, New int
}

// Sequence compares two sequences element by element. At each place the removed
// elements come before the added ones.
func Sequence[T comparable](before, after []T) []Step {
	ids := make(map[T]rune, len(before)+len(after))
	return steps(between(intern(ids, before), intern(ids, after)), len(before), len(after))
}

// intern gives each element a number. Equal elements get the same number.
func intern[T comparable](ids map[T]rune, list []T) []rune {
	out := make([]rune, len(list))
	for i, element := range list {
		id, ok := ids[element]
		if !ok {
			id = rune(len(ids))
			ids[element] = id
		}
		out[i] = id
	}
	return out
}

// steps turns gaps between sequences of the given lengths into steps.
func steps(gaps []gap, before, after int) []Step {
	size := before
	for _, g := range gaps {
		size += g.b1 - g.b0
	}
	list := make([]Step, 0, size)
	a, b := 0, 0
	same := func(until int) {
		for ; a < until; a, b = a+1, b+1 {
			list = append(list, Step{Same, a, b})
		}
	}
	for _, g := range gaps {
		same(g.a0)
		for ; a < g.a1; a++ {
			list = append(list, Step{Removed, a, -1})
		}
		for ; b < g.b1; b++ {
			list = append(list, Step{Added, -1, b})
		}
	}
	same(before)
	return list
}

// gap says that a[a0:a1] became b[b0:b1]. Everything between gaps is the same.
type gap struct{ a0, a1, b0, b1 int }

// Limits of the search for changes.
const (
	maxSplits = 8       // depth of splitting at anchors
	lcsGaveUp = 100     // with so many removed and added elements, lcs may have given up
	maxAgain  = 1 << 20 // elements searched again, in total
)

// between returns the gaps between two sequences, in order. No gap touches the next.
func between(a, b []rune) []gap {
	m := matcher{a: a, b: b}
	m.split(gap{0, len(a), 0, len(b)}, 0)
	return m.gaps
}

type matcher struct {
	a, b  []rune
	gaps  []gap
	again int // elements searched again so far
}

// add appends a gap. If the gap touches the last one, add extends that one.
func (m *matcher) add(g gap) {
	if n := len(m.gaps); n > 0 && m.gaps[n-1].a1 == g.a0 && m.gaps[n-1].b1 == g.b0 {
		m.gaps[n-1].a1, m.gaps[n-1].b1 = g.a1, g.b1
		return
	}
	m.gaps = append(m.gaps, g)
}

// trim removes equal elements at both ends of a gap.
func (m *matcher) trim(g gap) gap {
	for g.a0 < g.a1 && g.b0 < g.b1 && m.a[g.a0] == m.b[g.b0] {
		g.a0, g.b0 = g.a0+1, g.b0+1
	}
	for g.a0 < g.a1 && g.b0 < g.b1 && m.a[g.a1-1] == m.b[g.b1-1] {
		g.a1, g.b1 = g.a1-1, g.b1-1
	}
	return g
}

// split finds the gaps within g. It splits g at anchors. If there are none, it
// searches by lcs.
func (m *matcher) split(g gap, depth int) {
	g = m.trim(g)
	switch {
	case g.a0 == g.a1 && g.b0 == g.b1:
		return
	case g.a0 == g.a1 || g.b0 == g.b1:
		m.add(g)
		return
	}
	var anchors []anchor
	if depth < maxSplits {
		anchors = m.anchors(g)
	}
	if len(anchors) == 0 {
		m.search(g)
		return
	}
	at := g
	for _, anchor := range anchors {
		m.split(gap{at.a0, anchor.a, at.b0, anchor.b}, depth+1)
		at.a0, at.b0 = anchor.a+1, anchor.b+1
	}
	m.split(at, depth+1)
}

// anchor is a pair of equal elements that occur once on each side.
type anchor struct{ a, b int }

// anchors returns the longest list of anchors within g that rises on both sides.
func (m *matcher) anchors(g gap) []anchor {
	type seen struct{ a, b, inA, inB int }
	found := make(map[rune]seen, g.a1-g.a0)
	for i := g.a0; i < g.a1; i++ {
		s := found[m.a[i]]
		s.a, s.inA = i, s.inA+1
		found[m.a[i]] = s
	}
	for i := g.b0; i < g.b1; i++ {
		if s, ok := found[m.b[i]]; ok {
			s.b, s.inB = i, s.inB+1
			found[m.b[i]] = s
		}
	}
	var list []anchor
	for i := g.a0; i < g.a1; i++ {
		if s := found[m.a[i]]; s.inA == 1 && s.inB == 1 {
			list = append(list, anchor{s.a, s.b})
		}
	}
	return rising(list)
}

// rising returns the longest subsequence of a list that rises in b. The list must
// rise in a.
func rising(list []anchor) []anchor {
	var tails []int // for each length, the last anchor of the best subsequence
	before := make([]int, len(list))
	for i, at := range list {
		n, _ := slices.BinarySearchFunc(tails, at.b, func(tail, b int) int { return list[tail].b - b })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([]anchor, len(tails))
	for i, at := len(out)-1, tails[len(tails)-1]; i >= 0; i, at = i-1, before[at] {
		out[i] = list[at]
	}
	return out
}

// search finds the gaps within g by lcs. If lcs may have given up, search looks
// again inside each gap that lcs left.
func (m *matcher) search(g gap) {
	diffs := lcs.DiffRunes(m.a[g.a0:g.a1], m.b[g.b0:g.b1])
	changes := 0
	for _, d := range diffs {
		changes += d.End - d.Start + d.ReplEnd - d.ReplStart
	}
	for _, d := range diffs {
		part := gap{g.a0 + d.Start, g.a0 + d.End, g.b0 + d.ReplStart, g.b0 + d.ReplEnd}
		if changes >= lcsGaveUp && part != g && m.again < maxAgain && m.common(part) {
			m.again += part.a1 - part.a0 + part.b1 - part.b0
			m.search(part)
			continue
		}
		m.add(part)
	}
}

// common reports whether both sides of a gap have an element in common.
func (m *matcher) common(g gap) bool {
	if g.a0 == g.a1 || g.b0 == g.b1 {
		return false
	}
	have := make(map[rune]bool, g.a1-g.a0)
	for _, id := range m.a[g.a0:g.a1] {
		have[id] = true
	}
	return slices.ContainsFunc(m.b[g.b0:g.b1], func(id rune) bool { return have[id] })
}
