package review_test

import (
	"testing"

	"planb/plans/diff"
	"planb/plans/review"
)

// An approval in part is no approval, so a later text takes nothing from it.
func TestWhatLapses(t *testing.T) {
	same, changed := diff.Between("# A\n", "# A\n"), diff.Between("# A\n", "# B\n")
	for name, test := range map[string]struct {
		earlier review.Earlier
		want    bool
	}{
		"approved, and changed":         {review.Earlier{Review: review.Review{Verdict: review.Approve}, Diff: changed}, true},
		"with notes, and changed":       {review.Earlier{Review: review.Review{Verdict: review.ApproveWithNotes}, Diff: changed}, true},
		"approved, and the same":        {review.Earlier{Review: review.Review{Verdict: review.Approve}, Diff: same}, false},
		"approved in part, and changed": {review.Earlier{Review: review.Review{Verdict: review.Approve, Withheld: []int{1}}, Diff: changed}, false},
		"sent back, and changed":        {review.Earlier{Review: review.Review{Verdict: review.RequestChanges}, Diff: changed}, false},
	} {
		if got := test.earlier.Lapsed(); got != test.want {
			t.Errorf("%s: lapsed is %v", name, got)
		}
	}
}
