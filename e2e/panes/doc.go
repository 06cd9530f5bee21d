// Package panes tests what a person sees and does: the real program in a real
// tmux, GNU screen or window. The tests press keys and read the screen. tui
// tests in detail how forms, reviews, the inbox and past sessions are drawn.
package panes
