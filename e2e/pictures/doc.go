// Package pictures makes the README's pictures from real runs of planb in tmux. It
// makes them only when asked by the flag -pictures, and else tests that each one
// the README shows is there.
package pictures
