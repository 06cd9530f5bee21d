// Package tasks is planb tasks: the commands that show plans of tasks, bring them in
// and out, and do on the command line what needs no screen. Begin with Commands.
//
// What a plan is, and why a task is not ready, are rules of planb/plans/tasks; the
// records are the business of planb/store/tasks. This package finds what an argument
// names (find.go), asks the two, and prints: on a terminal as tables with the marks and
// colours of the screens, in a pipe one line each, with --json as data.
//
// No command approves anything. A command that permits work opens a screen, and a person
// answers there. Without a terminal the command is refused, and no flag replaces the
// answer. Tasks that add and edit write are locked until then, like those that an agent
// adds.
package tasks
