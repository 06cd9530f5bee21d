// Package questions is what an ask is made of: the form an agent sends, the
// rules for it, the answers a person gives, the rules for those, and the
// states an ask goes through. It is pure: no input or output, no clock, no
// goroutine, no colour, and nothing outside the standard library.
package questions
