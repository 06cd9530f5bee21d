package store

import (
	"slices"
	"time"

	"planb/questions"
	"planb/store/runs"
)

// RepliedTo reports whether the person replied to the form that a draft waits for, so that it is an
// agent's turn. It alone decides that: whatever lists, counts or words what waits for the person asks
// it. It is the person's turn again once the agent has written, or has done nothing for so long that
// a draft counts as stalled: then the person has to open the form themselves. asks are those of the
// draft's session, the oldest first.
func RepliedTo(draft runs.Summary, asks []Ask, now time.Time) bool {
	for _, ask := range slices.Backward(asks) {
		if gate, err := runs.ParseGate(ask.Subject.ID); err != nil || ask.Err != nil || ask.About() != runs.SubjectKind || gate.Plan != draft.ID {
			continue
		}
		at := ask.Outcome.At
		return ask.Outcome.State == questions.Discuss && !at.Before(draft.LastProgress) && now.Sub(at) <= runs.StallTime
	}
	return false
}
