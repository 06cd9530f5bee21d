package inbox

import (
	"slices"
	"time"
)

// ringGather is how long the ringer waits, to ring once for several forms, and not for a
// form that is answered or opened elsewhere at once.
const ringGather = time.Second

// ringPatience is a number of turns of ringGather. After so many, the inbox rings for a form
// that is open in another pane of the person and had no key.
const ringPatience = 15

// ringState decides for which forms to ring. It has no clock: its holder calls turn once
// every ringGather while a form is fresh.
type ringState struct {
	started bool
	seen    map[string]bool // the asks that were awake in the last read
	fresh   []freshAsk
}

// freshAsk is an ask that came in and for which nothing rang yet.
type freshAsk struct {
	id    string
	turns int // since it came in
}

// saw compares what waits with the read before, and reports whether an ask or a need is
// fresh.
func (r *ringState) saw(waiting []Waiting, needs []Need, now time.Time) bool {
	seen := make(map[string]bool, len(waiting))
	for _, need := range needs {
		for _, id := range need.rings {
			seen[id] = true
			if r.started && !r.seen[id] {
				r.fresh = append(r.fresh, freshAsk{id: id})
			}
		}
	}
	for _, w := range waiting {
		if w.Ask.Err != nil || w.Ask.Asleep(now) {
			continue
		}
		seen[w.Ask.ID] = true
		if r.started && !r.seen[w.Ask.ID] {
			r.fresh = append(r.fresh, freshAsk{id: w.Ask.ID})
		}
	}
	r.fresh = slices.DeleteFunc(r.fresh, func(f freshAsk) bool { return !seen[f.id] })
	r.started, r.seen = true, seen
	return len(r.fresh) > 0
}

// known marks an ask as seen: the person has just ended its snooze.
func (r *ringState) known(id string) {
	if r.started {
		r.seen[id] = true
	}
}

// elsewhere says where a person has the form of an ask open.
type elsewhere uint8

const (
	nowhere   elsewhere = iota
	inAPane             // in another pane
	inThisOne           // over this list
)

// turn returns the asks to ring for now, and those to ring for only if their form in
// another pane is still empty.
func (r *ringState) turn(where func(id string) elsewhere) (ring, unlessBegun []string) {
	var wait []freshAsk
	for _, f := range r.fresh {
		f.turns++
		switch at := where(f.id); {
		case at == nowhere:
			ring = append(ring, f.id)
		case at == inThisOne:
		case f.turns >= ringPatience:
			unlessBegun = append(unlessBegun, f.id)
		default:
			wait = append(wait, f)
		}
	}
	r.fresh = wait
	return ring, unlessBegun
}
