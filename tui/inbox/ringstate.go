package inbox

import (
	"slices"
	"time"
)

// ringGather is how long what comes in is gathered, to ring once for all of it,
// and to see whether it is answered or shown elsewhere at once.
const ringGather = time.Second

// ringPatience is how many times ringGather a form that another pane of the
// person shows may stand untouched before it rings here too.
const ringPatience = 15

// ringState decides for what to ring. It has no clock: whoever holds it lets it
// take a turn each ringGather as long as something is fresh.
type ringState struct {
	started bool
	seen    map[string]bool // awake when last looked
	fresh   []freshAsk
}

// freshAsk is an ask that came in and has not rung.
type freshAsk struct {
	id    string
	turns int // taken since it came in
}

// saw takes in what waits, and reports whether something is fresh.
func (r *ringState) saw(waiting []Waiting, now time.Time) bool {
	seen := make(map[string]bool, len(waiting))
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

// known makes an ask one that was seen: the person has just woken it themselves.
func (r *ringState) known(id string) {
	if r.started {
		r.seen[id] = true
	}
}

// elsewhere says where a person is with an ask, other than in the list.
type elsewhere uint8

const (
	nowhere   elsewhere = iota
	inAPane             // a pane of theirs shows it
	inThisOne           // the form is open over the list
)

// turn says for which asks to ring now, and for which only if nothing was
// entered into the pane that shows them.
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
