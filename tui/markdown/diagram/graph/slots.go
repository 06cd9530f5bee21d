package graph

import (
	"fmt"
	"slices"
)

// closeUp removes empty layers.
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

// insertLabels makes layers for the labels of links. The layer of a label is next to
// the box from which its line comes.
func (s *sheet) insertLabels() {
	last := 0
	for _, it := range s.items {
		last = max(last, it.layer)
	}
	labelled := make([]bool, last+1) // whether labels follow each layer
	for i := range s.links {
		l := &s.links[i]
		e := s.g.Edges[l.edge]
		if len(e.Label) == 0 || e.Hidden {
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
		if l := &s.links[i]; l.labelAt != None {
			l.labelAt = moved[l.labelAt] + 1
		}
	}
}

// spanFrames finds the first and the last layer of every frame.
func (s *sheet) spanFrames() {
	for f := range s.frames {
		s.frames[f].first, s.frames[f].last = maxSlots, None
	}
	for _, it := range s.items {
		for f := it.frame; f != None; f = s.frames[f].parent {
			s.frames[f].first = min(s.frames[f].first, it.layer)
			s.frames[f].last = max(s.frames[f].last, it.layer)
		}
	}
	for f := range s.frames {
		at := &s.frames[f]
		for p := at.parent; p != None; p = s.frames[p].parent {
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
		a := l.from // the slot of an item has the item's index
		for layer := s.items[l.from].layer + 1; layer <= s.items[l.to].layer; layer++ {
			b := l.to
			if layer < s.items[l.to].layer {
				kind := bend
				if layer == l.labelAt {
					kind = words
				}
				b = s.addSlot(slot{kind: kind, link: i, frame: s.frameAround(*l, layer), layer: layer})
			}
			l.segs = append(l.segs, len(s.segs))
			s.slots[a].down = append(s.slots[a].down, len(s.segs))
			s.slots[b].up = append(s.slots[b].up, len(s.segs))
			s.segs = append(s.segs, seg{a: a, b: b, link: i, hidden: s.g.Edges[l.edge].Hidden})
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

// frameAround returns the innermost frame around a link where it passes a layer. The
// link is in the frame that it comes from, or in the one that it leads to, if that
// frame reaches the layer. If two separate frames do, the link is in neither, but in
// the innermost frame around both.
func (s *sheet) frameAround(l link, layer int) int {
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

// reachingFrame returns the innermost frame around an item that reaches a layer.
func (s *sheet) reachingFrame(item, layer int) int {
	f := s.items[item].frame
	if s.items[item].border != None {
		f = s.frames[f].parent // a line that ends at a frame's border stays outside it
	}
	for f != None && (layer < s.frames[f].first || layer > s.frames[f].last) {
		f = s.frames[f].parent
	}
	return f
}

func (s *sheet) frameWithin(f, outer int) bool {
	for f != outer {
		if f == None {
			return false
		}
		f = s.frames[f].parent
	}
	return true
}

// holdOpen adds a filler to each layer in which a frame has no slot.
func (s *sheet) holdOpen() {
	for f := len(s.frames) - 1; f >= 0; f-- {
		for layer := s.frames[f].first; layer <= s.frames[f].last; layer++ {
			if !slices.ContainsFunc(s.layers[layer], func(i int) bool { return s.frameWithin(s.slots[i].frame, f) }) {
				s.addSlot(slot{kind: filler, frame: f, layer: layer})
			}
		}
	}
}
