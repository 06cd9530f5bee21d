// Package preview shows, beside a list, what belongs to the row under its cursor: the
// questions of a form with what was answered, the first lines of a plan.
//
// Split divides a page between the list and the preview: side by side in a wide window, one
// above the other in a high one. In a small window there is no preview. Draw finds out how
// many gaps a preview has room for. Lines collects what a preview says until there is no room
// for more. Head is the part of a plan that is shown.
//
// The package draws what it is given and reads nothing. What a preview says is decided by
// the room of the list: tui/inbox, tui/retro, tui/tasks or tui/drafts. Begin to read in
// split.go.
package preview
