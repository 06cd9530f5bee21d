package timeline

import (
	"cmp"
	"slices"
	"time"
)

// node is an event with the constraints on its place.
type node struct {
	Event
	after  []int     // indexes in the list of the events it must not precede
	before time.Time // a moment before which it happened, whatever its own clock said; zero: unknown
}

// moment is the time that the event is sorted by.
func (n node) moment() time.Time {
	if !n.before.IsZero() && n.before.Before(n.At) {
		return n.before
	}
	return n.At
}

// ordered sorts the events by their times, but puts no event before its causes. An
// event without a time comes right after its causes. Events of the same time keep their
// order.
func ordered(nodes []node) []Event {
	followers := make([][]int, len(nodes))
	waits := make([]int, len(nodes))
	for i, n := range nodes {
		waits[i] = len(n.after)
		for _, earlier := range n.after {
			followers[earlier] = append(followers[earlier], i)
		}
	}
	var free []int // sorted; the next event is the last element
	add := func(i int) {
		at, _ := slices.BinarySearchFunc(free, i, func(a, b int) int { return compare(nodes, b, a) })
		free = slices.Insert(free, at, i)
	}
	for i := range nodes {
		if waits[i] == 0 {
			add(i)
		}
	}
	events := make([]Event, 0, len(nodes))
	var latest time.Time
	for len(free) > 0 {
		next := free[len(free)-1]
		free = free[:len(free)-1]
		e := nodes[next].Event
		e.Misdated = !e.At.IsZero() && e.At.Before(latest)
		if e.At.After(latest) {
			latest = e.At
		}
		events = append(events, e)
		for _, i := range followers[next] {
			if waits[i]--; waits[i] == 0 {
				add(i)
			}
		}
	}
	return events
}

// compare says which of two events comes first if both may.
func compare(nodes []node, a, b int) int {
	one, other := nodes[a], nodes[b]
	return cmp.Or(one.moment().Compare(other.moment()), cmp.Compare(a, b))
}
