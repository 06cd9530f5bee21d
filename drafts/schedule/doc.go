// Package schedule places the work of a plan on days.
//
// A Plan has phases, tasks and subtasks. Its leaves are the subtasks, and the
// tasks that have none. Make finds for each leaf the earliest and the latest
// start, its float, and a start that keeps the limit of parallel work. It also
// finds the end of the plan at the least, likely and most days, and what each
// due date and milestone has left.
//
// Days are whole and counted from the plan's start: day 0 is Plan.Start, and an
// end is the first day after the work. There are no weekends and no holidays:
// estimates are in days of the calendar.
//
// The package is pure: it has no clock, reads and writes nothing, and gives the
// same schedule for the same plan. It neither estimates nor draws. Begin with
// plan.go; the arithmetic is in network.go and place.go.
package schedule
