package timeline

import (
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// Kind is what happened.
type Kind string

// The kinds of events. A later planb may add more: code that shows a story must
// have words for a kind it does not know.
const (
	Created    Kind = "created"   // the session
	Asked      Kind = "asked"     // the first time
	AskedAgain Kind = "again"     // the same ask, the last time
	Shown      Kind = "shown"     // the first time
	Expired    Kind = "expired"   // the client's time was up; the ask is still open
	Answered   Kind = "answered"  // the form was submitted
	Submitted  Kind = "submitted" // a plan, the first time: its review was asked for
	Reviewed   Kind = "reviewed"  // the person gave a verdict on a plan: the answer to such an ask
	Discussed  Kind = "discussed" // a message, with the answers so far
	Declined   Kind = "declined"
	Withdrawn  Kind = "withdrawn"
	TooLate    Kind = "late"      // came after another outcome had won
	Delivered  Kind = "delivered" // written into an agent's result
	Planned    Kind = "planned"   // a plan version was saved
)

// Event is one thing that happened.
type Event struct {
	ID
	At time.Time // by the clock of the machine that wrote the record; zero if not known
	By string    // for a reply or withdrawal: its author, user@host; for a version: the agent's client
	// Waited is the time since the ask was asked; for a delivery, the time since the
	// outcome. Took is the time from the form's first showing on a screen to its
	// outcome. Both are zero if unknown.
	Waited, Took time.Duration
	// Reviews is the number of the version that is reviewed, for all events of
	// a review. Verdict is what the review says, see review.Words.
	Reviews int
	Verdict string
	// Misdated reports that At is earlier than the time of an event before this
	// one: one of the two clocks was wrong.
	Misdated bool
	// Err is why the event's record cannot be read.
	Err error
}

// ID identifies an event of a session, also after other events are added or
// pruned.
type ID struct {
	Kind    Kind
	Ask     string // the ask's id, if the event is about one
	Plan    int    // the version's number, if the event is about one
	TooLate int    // which of the ask's late outcomes, counted from 0
}

// Reply reports whether the event is something that a person sent back.
func (e Event) Reply() bool {
	switch e.Kind {
	case Answered, Reviewed, Discussed, Declined, TooLate:
		return true
	}
	return false
}

// outcomeKind returns the kind of event for an ask's state; empty for pending.
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

// State returns the state that an ask has reached with an event of this kind; empty
// if it reached none.
func (k Kind) State() questions.State {
	switch k {
	case Expired:
		return questions.Expired
	case Answered, Reviewed:
		return questions.Answered
	case Discussed:
		return questions.Discuss
	case Declined:
		return questions.Declined
	case Withdrawn:
		return questions.Withdrawn
	}
	return ""
}

// askedKind returns the kind of event for the asking of an ask.
func askedKind(ask store.Ask) Kind {
	if ask.Spec.Plan != nil {
		return Submitted
	}
	return Asked
}

// eventsOf returns the events of one ask. The field after of each has the
// indexes, in this list, of the events it must not precede.
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
	for i, late := range ask.TooLate {
		id := about(TooLate)
		id.TooLate = i
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

// between returns the time from one moment to another. It is zero if one of
// them is not known, or if the clocks contradict each other.
func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}
