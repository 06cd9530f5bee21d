package review

import (
	"time"

	"planb/plans/diff"
	"planb/questions/safe"
)

// Earlier is the review in which a plan was reviewed last.
type Earlier struct {
	Number int       // of the version it was made on
	At     time.Time // when it was sent
	Review Review
	Text   safe.Text // of the version it was made on
	// Seen is the version that the person knows: that one, or what they made of it.
	Seen safe.Text
	Diff *diff.Diff // from Seen to the version that is reviewed now
	// Done are the comments that the agent says it has carried out since.
	Done []string
}

// Lapsed reports whether what was approved then is not what is reviewed now.
func (e *Earlier) Lapsed() bool {
	return e.Review.Verdict.Approves() && e.Diff != nil && e.Diff.Stat() != (diff.Stat{})
}

// Begun is the version on which a review was begun, where another one has taken
// its place since.
type Begun struct {
	Number int
	Text   safe.Text
	Diff   *diff.Diff // from it to the version that is reviewed now
	Line   int        // the cursor's, where it was open here; else 0
	Gone   int        // sections that were held back, and whose headings are gone
}

// BegunOn is a version, compared with the one that is reviewed now.
func BegunOn(number int, text, now safe.Text) *Begun {
	return &Begun{Number: number, Text: text, Diff: diff.Between(text.Raw(), now.Raw())}
}
