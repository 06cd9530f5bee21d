// Package compare shows what changed between two texts of a plan: as Markdown source, or
// as the plan is read. Sources stand side by side where nearly all lines fit into a half of the
// window, else one below the other. Unchanged lines are folded, and a section that moved is
// named as moved.
//
// New is the screen for two versions of a session's plan. Since is the same for a version
// and the one before it. Embedded shows a Comparison inside a review. Words says a
// Comparison in words, for what is read out line by line.
//
// Package plans/diff finds the changes, package markdown lays out what is read. This
// package knows neither the reviews nor the past sessions that open it. Begin to read in
// compare.go.
package compare
