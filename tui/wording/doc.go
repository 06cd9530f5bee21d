// Package wording is where planb's screens get their words from, so that a person reads
// the same of the same thing everywhere: how long ago something was, how many there
// are, what an ask, a session and a client are called, what became of an ask, and what
// is printed when a form is left.
//
// Its functions take records of the store and give strings that are safe to draw, or a
// safe.Text. It knows no screen, no colour and no Bubble Tea. The sentences of one
// screen or one dialog stand in the file of that screen or dialog, not here: those over
// a form that ended, for example, in form/ended.go. Begin to read in outcome.go.
package wording
