// Package screen is what all screens have in common. Begin with Screen in screen.go: the
// interface of one layer of the window, the Frame it draws, and the messages by which it
// lays another screen over itself, closes, or ends the program.
//
// Look holds everything that depends on the palette. Page is the frame of a screen for
// looking around: header, body and a footer with the keys. List is a list with a cursor.
// Pick and Help are the two screens that every other one may open. Reader has a screen read
// the store again when something changed; Bell and Throttle are its parts.
//
// The package does not know which screens there are. The window, which holds them, is
// in package tui.
package screen
