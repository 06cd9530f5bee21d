// Package wording is where planb's screens get their words from, so that a person reads
// the same of the same thing everywhere: how long ago something was, how many there
// are, what an ask, a session and a client are called, what became of an ask, and what
// is printed when a form is left.
//
// Its functions take records of the store and give strings that are safe to draw, or a
// safe.Text. It knows no screen, no colour and no Bubble Tea. What only one screen says
// stands with that screen. Begin to read in outcome.go.
package wording
