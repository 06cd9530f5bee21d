// Package pictures makes the pictures of the README and of the pages in docs from real
// runs of planb in tmux. It makes them only with the flag -pictures. Without the flag
// it tests that each picture exists. The recording is an animated PNG; recording_test.go
// has what happens in it.
package pictures
