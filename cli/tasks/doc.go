// Package tasks is planb tasks: the commands that show plans of tasks, bring them in
// and out, and do on the command line what needs no screen. Begin with Commands.
//
// What a plan is, and why a task is not ready, are rules of planb/plans/tasks; the
// records are the business of planb/store/tasks. This package finds what an argument
// names (find.go), asks the two, and prints: on a terminal as tables with the marks and
// colours of the screens, in a pipe one line each, with --json as data.
//
// No command approves anything. What permits work opens a screen, which a person
// answers; without a terminal it is refused, and no flag replaces it. What add and edit
// write is locked until then, as what an agent adds is.
package tasks
