// Package tasks shows plans of tasks to the person: which tasks are ready, who works on
// which, what needs the person, and what the rest waits for.
//
// NewList lists all plans. New shows one plan, as a board with a column for each state of its
// tasks, or as a graph in layers with the critical path. A task opens on a page of
// its own. Everything follows the store while agents work.
//
// The rules are in planb/plans/tasks: they find out which task is ready, and why another is
// not. This package only says it in words for the person. Begin to read in screen.go:
// the keys come in there, and what they change is the board in board.go.
package tasks
