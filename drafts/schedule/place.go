package schedule

import (
	"slices"
	"sort"
)

// place returns starts with which at most parallel leaves run on any day. Waiting leaves do
// not count. place takes the leaves whose predecessors are placed, the one with the least
// latest start first, then the one with the least id. Each gets the first day, from its
// bound on, that has room through its whole length.
func (n *network) place(days, latest []int, parallel int) []int {
	start := make([]int, len(n.nodes))
	open := make([]int, len(n.nodes))
	var ready []int
	var place func(i int)
	// A gate has no length and needs no worker. It is placed as soon as it is ready,
	// so that it stands between no two leaves.
	arrive := func(i int) {
		if i < n.leaves {
			ready = append(ready, i)
			return
		}
		place(i)
	}
	load := running{{day: 0}}
	place = func(i int) {
		start[i] = n.bound(i, days, start)
		if i < n.leaves && !n.nodes[i].wait {
			start[i] = load.room(start[i], days[i], parallel)
			load.add(start[i], days[i])
		}
		for _, e := range n.nodes[i].succs {
			if open[e.node]--; open[e.node] == 0 {
				arrive(e.node)
			}
		}
	}
	for i, x := range n.nodes {
		open[i] = len(x.preds)
	}
	for i, x := range n.nodes {
		if len(x.preds) == 0 {
			arrive(i)
		}
	}
	for len(ready) > 0 {
		next := 0
		for k, i := range ready {
			first := ready[next]
			if latest[i] < latest[first] || latest[i] == latest[first] && i < first {
				next = k
			}
		}
		i := ready[next]
		ready = slices.Delete(ready, next, next+1)
		place(i)
	}
	return start
}

// running says how many leaves run: from the day of each span to the day of the
// next. The first span begins on day 0, the last never ends.
type running []span

type span struct{ day, leaves int }

// at returns the index of the span that day is in.
func (r running) at(day int) int {
	return sort.Search(len(r), func(i int) bool { return r[i].day > day }) - 1
}

// room returns the first day, not before day, on which a leaf of length days can start
// so that at most limit leaves run.
func (r running) room(day, length, limit int) int {
	for i := r.at(day); i < len(r) && r[i].day < day+length; i++ {
		if r[i].leaves >= limit {
			day = r[i+1].day // the last span has no leaves
		}
	}
	return day
}

func (r *running) add(day, length int) {
	from, to := r.split(day), r.split(day+length)
	for i := from; i < to; i++ {
		(*r)[i].leaves++
	}
}

// split makes a span begin on day, and returns its index.
func (r *running) split(day int) int {
	i := r.at(day)
	if (*r)[i].day == day {
		return i
	}
	*r = slices.Insert(*r, i+1, span{day, (*r)[i].leaves})
	return i + 1
}
