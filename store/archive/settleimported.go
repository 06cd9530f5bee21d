package archive

import (
	"slices"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Messages for asks that no person ended. Files recognizes them, so their words must
// not change.
const (
	endedPending = "It was still open when the session was exported, and nobody waits for an answer any more."
	endedExpired = "No answer came in time."
	endedError   = "It could not be shown: "
	endedUnknown = "It was in a state that this planb does not know, and nobody waits for an answer any more."
)

// Closed returns the session as an import keeps it: finished. An open ask is
// withdrawn, with a message that says why. An outcome that was never delivered
// counts as delivered at the time of the outcome, because the agent that waited
// for it does not know this store. Everything else stays as it is. Closing a
// session twice changes nothing more.
func Closed(s Session) Session {
	s.Asks = slices.Clone(s.Asks)
	for i := range s.Asks {
		s.Asks[i] = closed(s.Asks[i], s.Updated)
	}
	return s
}

// closed ends an ask, at the given time if its outcome has no time.
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

// Import returns what a store imports: the closed session, without the asks and
// versions that cannot be read.
func (s Session) Import() store.Import {
	s = Closed(s)
	in := store.Import{Session: s.Session}
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
	return in
}
