// Package plans tests the way of a plan through the whole program: it is saved,
// reviewed in a pane, sent back, changed, approved, and taken to a client's own
// plan mode by the hook.
package plans
