// Package plans tests the way of a plan through the whole program: it is saved,
// reviewed in a pane, sent back, changed and approved. The hook brings it into
// a client's own plan mode.
package plans
