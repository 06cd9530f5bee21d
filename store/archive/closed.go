package archive

import (
	"slices"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Messages of asks that were not ended by a person.
const (
	endedPending = "It was still open when the session was exported, and nobody waits for an answer any more."
	endedExpired = "No answer came in time."
	endedError   = "It could not be shown: "
	endedUnknown = "It was in a state that this planb does not know, and nobody waits for an answer any more."
)

// Closed returns the session as it is imported: nobody waits for anything in it.
// An ask that was open is withdrawn, with a message that says why; an outcome
// that no agent was told counts as told when it came about, since the agent that
// waited for it does not know this store. Everything else is left as it is, and
// what is closed stays the same when it is closed again.
func Closed(s Session) Session {
	s.Asks = slices.Clone(s.Asks)
	for i := range s.Asks {
		s.Asks[i] = closed(s.Asks[i], s.Updated)
	}
	return s
}

// closed ends an ask, at that time if it has none of its own.
func closed(ask store.Ask, at time.Time) store.Ask {
	switch {
	case ask.Err != nil || ask.Outcome.State.Final():
	case ask.Outcome.State == questions.Expired:
		ask.Outcome = withdrawn(ask.Outcome, endedExpired)
	case ask.Outcome.State == questions.Pending || ask.Outcome.State == "":
		ask.Outcome = withdrawn(ask.Outcome, endedPending)
	default:
		ask.Outcome = withdrawn(ask.Outcome, endedUnknown)
	}
	if ask.Outcome.At.IsZero() {
		ask.Outcome.At = at
	}
	if ask.Err == nil && ask.Undelivered() {
		ask.Delivered = ask.Outcome.At
	}
	return ask
}

func withdrawn(o questions.Outcome, why string) questions.Outcome {
	return questions.Outcome{State: questions.Withdrawn, Message: safe.New(why), At: o.At, By: o.By}
}

// Import is what a store is given to keep the session, which is closed first.
// What cannot be read is left out.
func (s Session) Import() (store.Import, error) {
	s = Closed(s)
	origin, err := s.Origin.encode()
	in := store.Import{Session: s.Session, Origin: origin}
	for _, ask := range s.Asks {
		if ask.Err == nil {
			in.Asks = append(in.Asks, ask)
		}
	}
	for _, plan := range s.Plans {
		if plan.Err == nil {
			in.Plans = append(in.Plans, plan)
		}
	}
	return in, err
}
