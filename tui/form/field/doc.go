// Package field holds the kinds of question as a form shows them: a choice, a scale, text
// of one line or many, and what stands for a kind that only a newer planb knows. New
// makes the Field of a question; each kind is a file, and its drawing a second one where
// that is long.
//
// A field holds what was typed or picked and where the cursor is in it. It gets actions,
// never keys, and draws itself with a Pen into a Block of lines. What only some fields
// can do is an interface of its own: Illustrated, Leaver.
//
// The package knows neither the form around a field nor the store. What an answer may be
// is said by package questions. Begin to read in field.go.
package field
