package review

import (
	"time"

	"planb/plans/diff"
	"planb/questions/safe"
)

// Earlier is the last review of a plan before the present one, or what the person approved
// where the present review is of changes.
type Earlier struct {
	Number int       // of the version that was reviewed; 0 if Text is what the changes change, as it was approved
	At     time.Time // when the person sent the review
	Review Review    // without comments if Number is 0: those were on another text
	Text   safe.Text // of the version that was reviewed
	// Seen is the text that the person knows: Text, or what the person changed it to.
	Seen safe.Text
	Diff *diff.Diff // from Seen to the version under review now
	// Done holds the ids of the comments that the agent says it has carried out.
	Done []string
}

// Lapsed reports whether the person approved the whole plan then, and the text has changed
// since.
func (e *Earlier) Lapsed() bool {
	return e.Review.Approved() && e.Diff != nil && e.Diff.Stat() != (diff.Stat{})
}

// Begun is the version on which the person began a review, if the agent has saved
// a newer one since.
type Begun struct {
	Number int
	Text   safe.Text
	Diff   *diff.Diff // from Text to the version under review now
	Line   int        // of the cursor, if the review was open in this pane; else 0
	Gone   int        // how many withheld sections have lost their headings
}

// BegunOn compares the version on which a review was begun with the text now under
// review.
func BegunOn(number int, text, now safe.Text) *Begun {
	return &Begun{Number: number, Text: text, Diff: diff.Between(text.Raw(), now.Raw())}
}

// Subject is the version of a plan that is to be reviewed, with what came before it
// and what came since.
type Subject struct {
	Text    safe.Text
	Version int
	Problem error    // why the plan cannot be shown; then Text is zero
	Earlier *Earlier // nil: the plan was not reviewed before
	Begun   *Begun   // nil: the review was begun on this version
	Newer   Newer
	Of      Matter
}

// Newer is a version of the same plan that was written since; the zero one for
// none. Its text is zero if it cannot be read.
type Newer struct {
	Number int
	Text   safe.Text
}
