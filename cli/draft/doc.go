// Package draft is planb draft: the commands that begin drafts of plans, look at them,
// stop them and let them go on, and have the person's own program write them. Begin with
// Commands.
//
// What a step is and when it is dirty are rules of planb/drafts; the records are the
// business of planb/store/runs. This package finds what an argument names, asks the two,
// and prints: on a terminal as tables, in a pipe one line each, with --json as data.
//
// run.go is the worker: it holds the claim of the draft, gives each step to the program
// that the person's settings name, and waits where the person decides. It opens no
// socket.
package draft
