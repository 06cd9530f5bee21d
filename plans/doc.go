// Package plans holds the rules for plans: which texts and names are valid, how a
// plan is edited, when two versions are the same, and how versions are numbered.
//
// A plan is Markdown that an agent saves for a session, again and again while it
// works the plan out. Each save with a different text or title makes a new
// version. Versions are numbered 1, 2, 3 … within their session; no version is
// ever changed, overwritten or skipped.
//
// The package is pure: it does no input or output, has no clock, and does not know
// where versions are kept or how they are shown. Begin with version.go; the limits are in
// limits.go. The packages below compare two versions (diff) and hold a person's review (review).
package plans
