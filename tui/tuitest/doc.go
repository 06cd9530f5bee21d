// Package tuitest is what the tests of all rooms of tui share: a World, which is a
// store in memory with a clock that stands still, some forms and plans to show, and
// keys by their names.
//
// It imports no room of tui, so that a room's own tests can use it. What drives a
// screen stays with the screen's room.
package tuitest
