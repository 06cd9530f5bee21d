package graph

import (
	"slices"
)

// run is the part of a net between two layers: a line across on one track. At the tops
// lines come from the layer before it, and at the bottoms they lead to the layer
// behind it. A net that needs two tracks has two runs, joined at a turn.
type run struct {
	net           int
	tops, bottoms []int // columns
	low, high     int   // the first and the last column
	half          half
	turn          int // the column where two halves meet
	level, offset int // the track, and its place within the gap
}

type half uint8

const (
	whole half = iota
	upperHalf
	lowerHalf
)

// runs returns the runs of the nets before a layer, in the order of the slots from
// which they come.
func (s *sheet) runs(layer int) []run {
	var runs []run
	at := map[int]int{}
	for _, a := range s.layers[layer-1] {
		for _, i := range s.slots[a].down {
			e := s.segs[i]
			if e.hidden {
				continue
			}
			n, known := at[e.net]
			if !known {
				n = len(runs)
				at[e.net] = n
				runs = append(runs, run{net: e.net})
			}
			runs[n].tops = append(runs[n].tops, s.slots[e.a].middle+e.aOffset)
			runs[n].bottoms = append(runs[n].bottoms, s.slots[e.b].middle+e.bOffset)
		}
	}
	for n := range runs {
		runs[n].measure()
	}
	return s.untwist(runs, layer)
}

// measure sorts the columns of a run and finds its first and last one.
func (r *run) measure() {
	slices.Sort(r.tops)
	slices.Sort(r.bottoms)
	r.tops, r.bottoms = slices.Compact(r.tops), slices.Compact(r.bottoms)
	all := slices.Concat(r.tops, r.bottoms)
	r.low, r.high = slices.Min(all), slices.Max(all)
}

// columns holds, for each column, the run that comes from above and the run that leads
// below.
type columns struct{ top, bottom map[int]int }

func columnsOf(runs []run) columns {
	c := columns{map[int]int{}, map[int]int{}}
	for n, r := range runs {
		for _, x := range r.tops {
			c.top[x] = n
		}
		for _, x := range r.bottoms {
			c.bottom[x] = n
		}
	}
	return c
}

// above lists, for each run, the runs that must be on later tracks: those that lead
// below in a column where the run comes from above, and its own second half.
func (c columns) above(runs []run) [][]int {
	lower := make([][]int, len(runs))
	for n, r := range runs {
		for _, x := range r.tops {
			m, both := c.bottom[x]
			switch {
			case !both || m == n:
			case r.half == lowerHalf && x == r.turn:
				lower[m] = append(lower[m], n)
			default:
				lower[n] = append(lower[n], m)
			}
		}
	}
	return lower
}

// untwist splits runs until no run must be both before and behind another one.
func (s *sheet) untwist(runs []run, layer int) []run {
	for range runs {
		c := columnsOf(runs)
		n := twistedRun(runs, c.above(runs))
		if n == None {
			break
		}
		turn := s.freeColumn(c, (runs[n].low+runs[n].high)/2, layer)
		second := run{net: runs[n].net, tops: []int{turn}, bottoms: runs[n].bottoms, half: lowerHalf, turn: turn}
		runs[n].bottoms, runs[n].half, runs[n].turn = []int{turn}, upperHalf, turn
		second.measure()
		runs[n].measure()
		runs = slices.Insert(runs, n+1, second)
	}
	return runs
}

// twistedRun returns a run that must be before itself by way of others, or None.
func twistedRun(runs []run, lower [][]int) int {
	open := make([]int, len(runs))
	for _, below := range lower {
		for _, m := range below {
			open[m]++
		}
	}
	var queue []int
	for n, count := range open {
		if count == 0 {
			queue = append(queue, n)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, m := range lower[queue[0]] {
			if open[m]--; open[m] == 0 {
				queue = append(queue, m)
			}
		}
	}
	earlier := make([]int, len(runs))
	at := None
	for n, below := range lower {
		for _, m := range below {
			if open[n] > 0 && open[m] > 0 {
				earlier[m], at = n, m
			}
		}
	}
	if at == None {
		return None
	}
	for range runs { // from any run that is left, the way back ends in a cycle
		at = earlier[at]
	}
	return at
}

// freeColumn returns the column nearest to wanted that has neither a line nor a border
// before a layer.
func (s *sheet) freeColumn(c columns, wanted, layer int) int {
	free := func(x int) bool {
		if _, used := c.top[x]; used {
			return false
		}
		if _, used := c.bottom[x]; used {
			return false
		}
		for _, f := range s.frames {
			if f.first < layer && f.last >= layer && (x == f.low || x == f.high) {
				return false
			}
		}
		return true
	}
	for d := 0; ; d++ {
		if x := wanted + d; free(x) {
			s.across = max(s.across, x+1)
			return x
		}
		if x := wanted - d; x >= 0 && free(x) {
			return x
		}
	}
}

// assignTracks gives a track to every run that leads across, so that few lines cross,
// and returns how many tracks there are.
func (s *sheet) assignTracks(runs []run) int {
	lower := columnsOf(runs).above(runs)
	open := make([]int, len(runs))
	for _, below := range lower {
		for _, m := range below {
			open[m]++
		}
	}
	worse := make([]int, len(runs)) // how many more lines cross if the run comes before all others
	for n := range runs {
		for m := range runs {
			if n != m {
				worse[n] += crossingsOf(runs[n], runs[m]) - crossingsOf(runs[m], runs[n])
			}
		}
	}
	count := 0
	placed := make([]bool, len(runs))
	for range runs {
		n := None
		for m := range runs {
			if !placed[m] && (n == None || open[m] < open[n] || open[m] == open[n] && worse[m] < worse[n]) {
				n = m
			}
		}
		r := &runs[n]
		if r.low < r.high {
			r.level = 0
			for m, other := range runs {
				if placed[m] && other.low < other.high && other.low <= r.high+1 && r.low <= other.high+1 {
					r.level = max(r.level, other.level+1)
				}
			}
			count = max(count, r.level+1)
		}
		placed[n] = true
		for _, m := range lower[n] {
			open[m]--
		}
		for m := range runs {
			if !placed[m] {
				worse[m] -= crossingsOf(runs[m], *r) - crossingsOf(*r, runs[m])
			}
		}
	}
	return count
}

// crossingsOf counts how often two runs cross if a is on the earlier track.
func crossingsOf(a, b run) int {
	if a.low == a.high || b.low == b.high || a.high < b.low || b.high < a.low {
		return 0
	}
	count := 0
	for _, x := range a.bottoms {
		if b.low <= x && x <= b.high {
			count++
		}
	}
	for _, x := range b.tops {
		if a.low <= x && x <= a.high {
			count++
		}
	}
	return count
}
