package tuitest

import (
	"strings"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/store"
)

// SecondRound is a review of a plan that was reviewed before: of five comments two
// lines are as they were, one moved with its section, one changed as suggested and
// one is gone.
func (w *World) SecondRound(verdict review.Verdict) (ask store.Ask, before, after string) {
	w.T.Helper()
	session := w.Session("Nightly export", "/home/you/shop")
	before = ReviewedPlan
	why := before[strings.Index(before, "## Why"):strings.Index(before, "## How")]
	after = strings.Replace(before, why, "", 1)
	after = strings.Replace(after, "## Risks", why+"## Risks", 1)
	after = strings.Replace(after, "2. Write the file.\n", "2. Write the file, with a sum.\n", 1)
	after = strings.Replace(after, "\nNobody owns the key.\n", "", 1)
	step := Comment(w.T, before, 15, 15, review.Suggestion, "")
	step.Instead = safe.New("2. Write the file, with a sum.")
	first := w.ReviewAsk(session, before, "")
	w.Reviewed(first, before, verdict,
		Comment(w.T, before, 3, 3, review.Remark, "Whose CSV?"),
		Comment(w.T, before, 8, 8, review.Question, "Who did?"),
		step,
		Comment(w.T, before, 20, 20, review.Remark, "Log it."),
		Comment(w.T, before, 33, 33, review.Remark, "Ada does."),
	)
	return w.ReviewAsk(session, after, first.ID), before, after
}
