// Package panes tests what a person sees and does: the real program in a real tmux,
// GNU screen or window, with keys sent and the screen read. How forms, reviews,
// the inbox and past sessions are drawn in detail is tested in tui.
package panes
