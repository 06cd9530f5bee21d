package timeline

import (
	"cmp"
	"slices"
	"time"
)

// node is an event with what its place in the story depends on.
type node struct {
	Event
	after  []int     // places in the list of those it cannot come before
	before time.Time // a moment it lies before, whatever its own clock said; zero for none
}

// moment is the time that decides where the event stands, as far as it is free.
func (n node) moment() time.Time {
	if !n.before.IsZero() && n.before.Before(n.At) {
		return n.before
	}
	return n.At
}

// ordered puts events into the order of their times, none before those it
// follows from. An event without a time comes right behind those. It is the
// same for the same events, whatever order they are given in within one time.
func ordered(nodes []node) []Event {
	followers := make([][]int, len(nodes))
	waits := make([]int, len(nodes))
	for i, n := range nodes {
		waits[i] = len(n.after)
		for _, earlier := range n.after {
			followers[earlier] = append(followers[earlier], i)
		}
	}
	var free []int // sorted; the next one last
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

// compare says which of two events comes first when both may.
func compare(nodes []node, a, b int) int {
	one, other := nodes[a], nodes[b]
	return cmp.Or(one.moment().Compare(other.moment()), cmp.Compare(a, b))
}
