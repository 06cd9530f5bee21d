package tasks

import "planb/questions/safe"

// Standing tells a person where a task or a plan stands. Screens, lists and commands
// all use this mark and this word; the colour is in themes.
type Standing struct {
	Mark string // one cell
	Word string
}

// Standing returns the mark and the word of a state. A state that this planb does not
// know keeps its own name.
func (s State) Standing() Standing {
	switch s {
	case Ready:
		return Standing{"○", "ready"}
	case Claimed:
		return Standing{"◔", "claimed"}
	case InProgress:
		return Standing{"◐", "in work"}
	case NeedsReview:
		return Standing{"●", "needs you"}
	case Open, Blocked, "":
		return Standing{"◌", "blocked"}
	case Done:
		return Standing{"✓", "done"}
	case Cancelled:
		return Standing{"–", "cancelled"}
	}
	return Standing{"•", safe.New(string(s)).Line()}
}

// Standing returns the mark and the word of a plan's status.
func (s Status) Standing() Standing {
	switch s {
	case PlanProposed:
		return Standing{"●", "proposed"}
	case PlanActive:
		return Standing{"◐", "active"}
	case PlanDone:
		return Standing{"✓", "done"}
	case PlanCancelled:
		return Standing{"–", "cancelled"}
	}
	return Standing{"•", safe.New(string(s)).Line()}
}
