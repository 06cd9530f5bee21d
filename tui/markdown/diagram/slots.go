package diagram

import (
	"fmt"
	"slices"
)

// closeUp takes away layers in which nothing stands.
func (s *sheet) closeUp() {
	var used []int
	for _, it := range s.items {
		used = append(used, it.layer)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	for i := range s.items {
		s.items[i].layer, _ = slices.BinarySearch(used, s.items[i].layer)
	}
}

// insertLabels makes layers for the labels of links, each next to the box its
// line comes from.
func (s *sheet) insertLabels() {
	last := 0
	for _, it := range s.items {
		last = max(last, it.layer)
	}
	labelled := make([]bool, last+1) // whether labels are behind a layer
	for i := range s.links {
		l := &s.links[i]
		e := s.g.edges[l.edge]
		if len(e.label) == 0 || e.hidden {
			continue
		}
		l.labelAt = s.items[l.from].layer
		if l.turned {
			l.labelAt = s.items[l.to].layer - 1
		}
		labelled[l.labelAt] = true
	}
	moved := make([]int, last+1)
	for layer := 1; layer <= last; layer++ {
		moved[layer] = moved[layer-1] + 1
		if labelled[layer-1] {
			moved[layer]++
		}
	}
	for i := range s.items {
		s.items[i].layer = moved[s.items[i].layer]
	}
	for i := range s.links {
		if l := &s.links[i]; l.labelAt != none {
			l.labelAt = moved[l.labelAt] + 1
		}
	}
}

// spanFrames finds from which layer to which one every frame reaches.
func (s *sheet) spanFrames() {
	for f := range s.frames {
		s.frames[f].first, s.frames[f].last = maxSlots, none
	}
	for _, it := range s.items {
		for f := it.frame; f != none; f = s.frames[f].parent {
			s.frames[f].first = min(s.frames[f].first, it.layer)
			s.frames[f].last = max(s.frames[f].last, it.layer)
		}
	}
	for f := range s.frames {
		at := &s.frames[f]
		for p := at.parent; p != none; p = s.frames[p].parent {
			if s.frames[p].first == at.first {
				at.outerFirst++
			}
			if s.frames[p].last == at.last {
				at.outerLast++
			}
		}
	}
}

// fill puts items and links into slots.
func (s *sheet) fill() error {
	count := 0
	for _, it := range s.items {
		count = max(count, it.layer+1)
	}
	s.layers = make([][]int, count)
	for i, it := range s.items {
		s.addSlot(slot{kind: solid, item: i, frame: it.frame, layer: it.layer})
	}
	for i := range s.links {
		l := &s.links[i]
		a := l.from // the slots of the items are the first ones
		for layer := s.items[l.from].layer + 1; layer <= s.items[l.to].layer; layer++ {
			b := l.to
			if layer < s.items[l.to].layer {
				kind := bend
				if layer == l.labelAt {
					kind = words
				}
				b = s.addSlot(slot{kind: kind, link: i, frame: s.passes(*l, layer), layer: layer})
			}
			l.segs = append(l.segs, len(s.segs))
			s.slots[a].down = append(s.slots[a].down, len(s.segs))
			s.slots[b].up = append(s.slots[b].up, len(s.segs))
			s.segs = append(s.segs, seg{a: a, b: b, link: i, hidden: s.g.edges[l.edge].hidden})
			a = b
		}
		if len(s.slots) > maxSlots {
			return fmt.Errorf("it is too large: its lines would pass more than %d places in all", maxSlots)
		}
	}
	s.holdOpen()
	return nil
}

func (s *sheet) addSlot(at slot) int {
	s.slots = append(s.slots, at)
	s.layers[at.layer] = append(s.layers[at.layer], len(s.slots)-1)
	return len(s.slots) - 1
}

// passes is the innermost frame that a link is in when it passes a layer: it
// stays in the frame it comes from, and enters the one it leads to, as long as
// that reaches; where both do, it is in none of the two.
func (s *sheet) passes(l link, layer int) int {
	from, to := s.reachingFrame(l.from, layer), s.reachingFrame(l.to, layer)
	common := from
	for !s.frameWithin(to, common) {
		common = s.frames[common].parent
	}
	switch {
	case common == from:
		return to
	case common == to:
		return from
	}
	return common
}

// reachingFrame is the innermost frame around an item that reaches to a layer.
func (s *sheet) reachingFrame(item, layer int) int {
	f := s.items[item].frame
	if s.items[item].border != none {
		f = s.frames[f].parent // a line that ends at a frame stays outside
	}
	for f != none && (layer < s.frames[f].first || layer > s.frames[f].last) {
		f = s.frames[f].parent
	}
	return f
}

func (s *sheet) frameWithin(f, outer int) bool {
	for f != outer {
		if f == none {
			return false
		}
		f = s.frames[f].parent
	}
	return true
}

// holdOpen puts fillers into layers in which a frame has nothing.
func (s *sheet) holdOpen() {
	for f := len(s.frames) - 1; f >= 0; f-- {
		for layer := s.frames[f].first; layer <= s.frames[f].last; layer++ {
			if !slices.ContainsFunc(s.layers[layer], func(i int) bool { return s.frameWithin(s.slots[i].frame, f) }) {
				s.addSlot(slot{kind: filler, frame: f, layer: layer})
			}
		}
	}
}
