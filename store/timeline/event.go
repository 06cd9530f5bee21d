package timeline

import (
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// Kind is what happened.
type Kind string

// The kinds of events. More may come: whoever shows a story has words for the
// one it does not know.
const (
	Created    Kind = "created"   // the session
	Asked      Kind = "asked"     // for the first time
	AskedAgain Kind = "again"     // the same ask, the last time
	Shown      Kind = "shown"     // for the first time
	Expired    Kind = "expired"   // still open
	Answered   Kind = "answered"  // the form was submitted
	Submitted  Kind = "submitted" // a plan, for the first time: the asking of its review
	Reviewed   Kind = "reviewed"  // a plan has got its verdict: the answer to such an ask
	Discussed  Kind = "discussed" // a message, and the answers so far
	Declined   Kind = "declined"
	Withdrawn  Kind = "withdrawn"
	Late       Kind = "late"      // what came after another outcome had won
	Delivered  Kind = "delivered" // written into an agent's result
	Planned    Kind = "planned"   // a plan version was saved
)

// Event is one thing that happened.
type Event struct {
	ID
	At time.Time // as the clock of whoever wrote it said; zero if nothing tells
	By string    // replies and withdrawals: who did it, user@host; versions: the agent's client
	// Waited is, for what became of an ask, how long it took since it was asked;
	// Took how long since a person's screen showed it first. Zero if not known.
	Waited, Took time.Duration
	// Reviews is, for what happened to a review, the number of the version it is
	// a review of; Verdict is what a review says, see review.Words.
	Reviews int
	Verdict string
	// Misdated reports that At is earlier than the time of an event before this
	// one, so that one of the two clocks was wrong.
	Misdated bool
	// Err is why what the event is about cannot be read.
	Err error
}

// ID names an event of a session, whatever else comes and goes.
type ID struct {
	Kind Kind
	Ask  string // the ask's id, if the event is about one
	Plan int    // the version's number, if the event is about one
	Late int    // which of the ask's late outcomes, the first being 0
}

// Reply reports whether the event is what a person sent back.
func (e Event) Reply() bool {
	switch e.Kind {
	case Answered, Reviewed, Discussed, Declined, Late:
		return true
	}
	return false
}

// outcomeKind is the event that the state of an ask is; empty for pending.
func outcomeKind(ask store.Ask) Kind {
	switch ask.Outcome.State {
	case questions.Expired:
		return Expired
	case questions.Answered:
		if ask.Spec.Plan != nil {
			return Reviewed
		}
		return Answered
	case questions.Discuss:
		return Discussed
	case questions.Declined:
		return Declined
	case questions.Withdrawn:
		return Withdrawn
	}
	return ""
}

// askedKind is the event that an ask's asking is.
func askedKind(ask store.Ask) Kind {
	if ask.Spec.Plan != nil {
		return Submitted
	}
	return Asked
}

// eventsOf are the events of one ask: each with the places, in the list, of
// those it cannot come before.
func eventsOf(ask store.Ask) []node {
	about := func(kind Kind) ID { return ID{Kind: kind, Ask: ask.ID} }
	asked := node{Event: Event{ID: about(askedKind(ask)), At: ask.Created, Err: ask.Err}}
	list := []node{asked}
	if ask.Err != nil {
		return list
	}
	if ask.Asked.After(ask.Created) {
		list = append(list, node{Event: Event{ID: about(AskedAgain), At: ask.Asked}, after: []int{0}})
	}
	middle := []int{0}
	if !ask.Shown.IsZero() {
		middle = append(middle, len(list))
		list = append(list, node{Event: Event{ID: about(Shown), At: ask.Shown, Waited: between(ask.Created, ask.Shown)}, after: []int{0}, before: ask.Delivered})
	}
	kind := outcomeKind(ask)
	if kind == "" {
		return list
	}
	outcome := len(list)
	list = append(list, node{Event: outcomeEvent(about(kind), ask, ask.Outcome), after: middle, before: ask.Delivered})
	last := outcome
	for i, late := range ask.Late {
		id := about(Late)
		id.Late = i
		list = append(list, node{Event: outcomeEvent(id, ask, late), after: []int{last}})
		last = len(list) - 1
	}
	if !ask.Delivered.IsZero() {
		list = append(list, node{Event: Event{ID: about(Delivered), At: ask.Delivered, Waited: between(ask.Outcome.At, ask.Delivered)}, after: []int{outcome}})
	}
	return list
}

func outcomeEvent(id ID, ask store.Ask, o questions.Outcome) Event {
	e := Event{ID: id, At: o.At, By: o.By, Waited: between(ask.Created, o.At), Took: between(ask.Shown, o.At)}
	if said, ok := o.Reply.Answers[questions.ReviewID].Text(); ok && ask.Spec.Plan != nil && o.State == questions.Answered {
		e.Verdict = review.InWords(said).Verdict
	}
	return e
}

// between is the time from one moment to another; zero if one is not known, or
// the clocks do not agree on their order.
func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}
