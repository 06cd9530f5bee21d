// Package plans holds the rules for plans: what text may be one, what it may be
// called, how it is edited, when two versions are the same, and how versions are
// numbered.
//
// A plan is Markdown that an agent saves for a session, again and again while
// it is worked out. Each different text or title is a version of its own:
// versions are numbered 1, 2, 3 … within their session, and none is changed,
// overwritten or left out. The package is pure: it does no input or output, has
// no clock, and does not know where versions are kept or how they are shown.
package plans
