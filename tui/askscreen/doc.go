// Package askscreen is the screen that shows an ask in a form and writes what the person
// enters into the store. With a place it serves a queue: when one form is done, the
// next that waits there comes up.
//
// A Screen connects three rooms that do not know each other. Package form draws an ask and
// tells in messages what the person wants: an entry changed, an outcome is to be written,
// the form is to be left. Package review is what such a form is about if a plan was
// submitted. Package ask does the work on the store, one blocking step at a time. Here each
// of those steps becomes a command of Bubble Tea, and its result a message.
//
// One ask may be open in several panes, and its agent may withdraw it or submit its plan
// again at any time. A Screen looks at the store every second and whenever the store's bell
// rings, so a form learns that it was answered elsewhere, and goes on to the ask that took
// its place, with everything that the person said.
//
// Nothing here draws, and nothing decides which answer is valid. The window, the terminal
// and the same work in plain lines are elsewhere (packages tui and lines).
//
// Begin with Screen.Update in screen.go. commands.go has the commands and their messages,
// others.go what other panes do, follow.go the next submission of a plan, and leave.go the
// ways out.
package askscreen
