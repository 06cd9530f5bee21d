// Package review shows a plan with what a person says of it, and sends their verdict.
//
// NewBody makes the body of a form that reviews a plan. The form around it (package
// form) has the gate and the dialogs, and sends the outcome; this package has the plan
// on the screen, the comments below its lines, the search, what changed since an
// earlier version, and the two steps of a verdict.
//
// What was said is a review.Entry of package plans/review, which knows no screen.
// Account says of a review what a person should know, here and line by line. This
// package knows neither who opened the plan nor where it is kept.
//
// Begin to read in review.go. A long plan is laid out in pieces, see pieces.go.
package review
