// Package review holds the rules for a person's review of a plan: comments on
// single lines, and a verdict on the whole.
//
// A [Review] belongs to one version of a plan and names it by its digest. Each
// [Comment] quotes the lines it was made on, so that it can be read and checked
// without that version. [Review.Complete] adds the feedback that the agent reads.
//
// When the plan has changed, [Track] finds the lines of each comment in the new
// version and says whether they are still the same. A comment that points at other
// lines than its original ones always says so.
//
// The package is pure: it does no input or output, has no clock, and does not know
// how a review is stored, waited for or shown. Begin with review.go.
package review
