// Package tui is what a person sees and presses: one Bubble Tea program that
// owns the window, and a stack of screens over it. A screen is two files: its
// state, which knows no terminal and can be tested without one, and its view,
// which turns keys into state and state into lines. Screens hold no sockets and
// no rules of their own: what is a valid answer is said by package questions,
// and what becomes of it by package store. Nor do they hold files, but for one:
// a text that is edited in the person's own editor lies, as long as that runs,
// in a temporary file which nobody else can read, and which is told of at the next
// opening of its ask if the program was killed meanwhile. Only text that came through
// safe.Text or tui/markdown is ever drawn.
package tui
