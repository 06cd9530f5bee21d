// Package review holds the rules for what a person says of a plan: comments on
// its lines and a verdict on the whole.
//
// A [Review] is made on one version of a plan, which it names by its digest. Each
// [Comment] quotes the lines it was made on, so that it can be read, and checked,
// without that version. [Review.Complete] adds what the agent reads.
//
// When the plan has changed, [Track] says of each comment where its lines are in
// the new version, and whether they are still the same: a comment never points at
// other lines than those it was made on without saying so.
//
// The package is pure: it does no input or output, has no clock, and does not know
// how a review is kept, waited for or shown.
package review
