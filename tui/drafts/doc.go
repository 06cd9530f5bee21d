// Package drafts shows drafts to the person: from one prompt to a whole plan, step by step,
// who writes what now, and what waits for whom.
//
// NewList lists all drafts. New shows one: its steps as a list or as a graph with the text of
// each beside them, and the schedule as a Gantt chart. A section opens on a page of its own.
// The person answers the forms of the steps that are theirs, edits a section, has one written
// again or reviews it first (review.go), and stops the writing or lets it go on. Everything
// follows the store while agents write.
//
// The rules are in planb/drafts: which step is ready, and what the section of a step says.
// This package knows no field of a step, only the Markdown of its section. Begin to read in
// screen.go; how a step stands is in draft.go.
package drafts
