package graph

import (
	"cmp"
	"slices"
)

// order sorts the slots of every layer so that few lines cross. The slots of a frame
// stay together, and two frames have the same order in all layers that they share, so
// that their borders can be straight.
//
// It sorts each layer by the places of the neighbours in the layer before or behind,
// downwards and upwards in turns, and swaps neighbours if that removes crossings
// (Gansner et al., 1993).
func (s *sheet) order() {
	s.firstOrder()
	best, least := s.copyOrder(), s.crossings()
	rounds := 16
	if len(s.slots) > 1500 {
		rounds = 6
	}
	for round, idle := 0, 0; round < rounds && least > 0 && idle < 5; round++ {
		s.sweep(round%2 == 0)
		s.swapNeighbours()
		if count := s.crossings(); count < least {
			best, least, idle = s.copyOrder(), count, 0
		} else {
			idle++
		}
	}
	s.layers = best
	s.number()
}

func (s *sheet) copyOrder() [][]int {
	kept := make([][]int, len(s.layers))
	for i, layer := range s.layers {
		kept[i] = slices.Clone(layer)
	}
	return kept
}

// number sets each slot's position in its layer.
func (s *sheet) number() {
	for _, layer := range s.layers {
		for pos, i := range layer {
			s.slots[i].pos = pos
		}
	}
}

// firstOrder sorts the slots by a depth-first walk along the lines, in the order of
// the source.
func (s *sheet) firstOrder() {
	keys := make([]float64, len(s.slots))
	seen := make([]bool, len(s.slots))
	next := 0.0
	var walk func(i int)
	walk = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		next++
		keys[i] = next
		for _, e := range s.slots[i].down {
			walk(s.segs[e].b)
		}
	}
	for i := range s.slots {
		if len(s.slots[i].up) == 0 && s.slots[i].kind == solid {
			walk(i)
		}
	}
	for i := range s.slots {
		walk(i)
	}
	frames := s.frameKeys(keys)
	for layer := range s.layers {
		s.arrange(layer, keys, frames)
	}
	s.number()
}

// frameKeys returns, for each frame, the mean of the keys of its slots.
func (s *sheet) frameKeys(keys []float64) []float64 {
	sums, counts := make([]float64, len(s.frames)), make([]float64, len(s.frames))
	for i, at := range s.slots {
		for f := at.frame; f != None && at.kind != filler; f = s.frames[f].parent {
			sums[f] += keys[i]
			counts[f]++
		}
	}
	for f := range sums {
		sums[f] /= max(counts[f], 1)
	}
	return sums
}

// arrange sorts a layer by keys and keeps the slots of a frame together.
func (s *sheet) arrange(layer int, keys, frames []float64) {
	slices.SortStableFunc(s.layers[layer], func(a, b int) int {
		if s.slots[a].frame == s.slots[b].frame {
			return cmp.Compare(keys[a], keys[b])
		}
		return s.compareFramed(a, b, keys, frames)
	})
}

// compareFramed compares two slots of different frames. For each slot it uses the key
// of the outermost frame that does not hold the other slot.
func (s *sheet) compareFramed(a, b int, keys, frames []float64) int {
	pa, pb := s.pathTo(a), s.pathTo(b)
	depth := 0
	for depth < min(len(pa), len(pb)) && pa[depth] == pb[depth] {
		depth++
	}
	ka, kb, fa, fb := keys[a], keys[b], None, None
	if depth < len(pa) {
		fa = pa[depth]
		ka = frames[fa]
	}
	if depth < len(pb) {
		fb = pb[depth]
		kb = frames[fb]
	}
	return cmp.Or(cmp.Compare(ka, kb), cmp.Compare(fa, fb))
}

// pathTo returns the frames around a slot, the outermost first.
func (s *sheet) pathTo(i int) []int {
	var path []int
	for f := s.slots[i].frame; f != None; f = s.frames[f].parent {
		path = append(path, f)
	}
	slices.Reverse(path)
	return path
}

// sweep sorts the layers one after another by the places of the neighbours in the
// layer sorted just before: from the first layer to the last, or the other way round.
func (s *sheet) sweep(downwards bool) {
	keys := make([]float64, len(s.slots))
	for _, layer := range s.layers {
		for pos, i := range layer {
			keys[i] = (float64(pos) + 0.5) / float64(len(layer))
		}
	}
	frames := s.frameKeys(s.smoothed(keys))
	for n := range s.layers {
		layer := n
		if !downwards {
			layer = len(s.layers) - 1 - n
		}
		for _, i := range s.layers[layer] {
			neighbours := s.slots[i].up
			if !downwards {
				neighbours = s.slots[i].down
			}
			if len(neighbours) == 0 {
				continue
			}
			sum := 0.0
			for _, e := range neighbours {
				sum += keys[s.segs[e].a+s.segs[e].b-i]
			}
			keys[i] = sum / float64(len(neighbours))
		}
		s.arrange(layer, keys, frames)
		for pos, i := range s.layers[layer] {
			s.slots[i].pos = pos
			keys[i] = (float64(pos) + 0.5) / float64(len(s.layers[layer]))
		}
	}
}

// smoothed returns, for each slot, the mean of its key and its neighbours' keys.
func (s *sheet) smoothed(keys []float64) []float64 {
	wanted := make([]float64, len(keys))
	for i, at := range s.slots {
		sum := keys[i]
		for _, side := range [][]int{at.up, at.down} {
			for _, e := range side {
				sum += keys[s.segs[e].a+s.segs[e].b-i]
			}
		}
		wanted[i] = sum / float64(1+len(at.up)+len(at.down))
	}
	return wanted
}

// swapNeighbours swaps adjacent slots as long as that removes crossings.
func (s *sheet) swapNeighbours() {
	for better, rounds := true, 0; better && rounds < 6; rounds++ {
		better = false
		for _, layer := range s.layers {
			for pos := range len(layer) - 1 {
				v, w := layer[pos], layer[pos+1]
				if s.slots[v].frame != s.slots[w].frame || s.slots[v].kind == filler || s.slots[w].kind == filler {
					continue
				}
				if s.crossed(w, v) < s.crossed(v, w) {
					layer[pos], layer[pos+1] = w, v
					s.slots[v].pos, s.slots[w].pos = pos+1, pos
					better = true
				}
			}
		}
	}
}

// crossed counts how often the lines of two slots cross if v stands before w.
func (s *sheet) crossed(v, w int) int {
	count := 0
	for _, e := range s.slots[v].up {
		for _, f := range s.slots[w].up {
			if s.slots[s.segs[e].a].pos > s.slots[s.segs[f].a].pos {
				count++
			}
		}
	}
	for _, e := range s.slots[v].down {
		for _, f := range s.slots[w].down {
			if s.slots[s.segs[e].b].pos > s.slots[s.segs[f].b].pos {
				count++
			}
		}
	}
	return count
}

func (s *sheet) crossings() int {
	count := 0
	var ends, tree []int
	for n := 1; n < len(s.layers); n++ {
		ends = ends[:0]
		for _, i := range s.layers[n-1] {
			from := len(ends)
			for _, e := range s.slots[i].down {
				ends = append(ends, s.slots[s.segs[e].b].pos)
			}
			slices.Sort(ends[from:])
		}
		tree = append(tree[:0], make([]int, len(s.layers[n])+1)...)
		// Each line crosses the earlier lines that end at a later position. tree is a
		// Fenwick tree that counts earlier lines by their end.
		for seen, end := range ends {
			count += seen
			for i := end + 1; i > 0; i -= i & -i {
				count -= tree[i]
			}
			for i := end + 1; i < len(tree); i += i & -i {
				tree[i]++
			}
		}
	}
	return count
}
