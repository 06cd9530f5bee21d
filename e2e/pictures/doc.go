// Package pictures makes the README's pictures from real runs of planb in tmux.
// It makes them only with the flag -pictures. Without the flag it tests that
// each picture in the README exists.
package pictures
