// Package field holds the kinds of question as a form shows them: a choice, a scale, and text
// of one line or of many. New makes the Field of a question. Each kind has a file of its own,
// and a second file with its drawing if that is long. A kind that only a newer planb knows is
// shown, but cannot be answered (unknown.go).
//
// A field holds what the person typed or picked, and where the cursor is. It gets actions,
// never keys, and draws itself with a Pen into a Block of lines. Some
// fields implement a second interface, too: Illustrated, Leaver.
//
// The package knows neither the form around a field nor the store. Package questions says
// which answers are valid. Begin to read in field.go.
package field
