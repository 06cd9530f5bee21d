// Package tuitest is what the tests of all rooms of tui share: a World, which is a
// store in memory with a clock that stands still, some forms and plans to show, keys by
// their names, and a Rig, which drives screens one message after another in a Window.
//
// It knows no screen, so that the tests of any room above package screen can use it.
package tuitest
