//go:build linux || darwin

package tui

import (
	"io"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// withoutFlowControl makes Ctrl+S a key like any other, until restore is called. In its
// usual mode a terminal holds up all output from Ctrl+S on, and waits for Ctrl+Q: what a
// program prints after its screen was closed would hang, if the person pressed Ctrl+S once
// too often. Bubble Tea does the same for as long as the screen is there.
func withoutFlowControl(input io.Reader) (restore func()) {
	f, ok := input.(term.File)
	if !ok {
		return func() {}
	}
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil || was.Iflag&unix.IXON == 0 {
		return func() {} // it is no terminal, or has none
	}
	without := *was
	without.Iflag &^= unix.IXON
	if err := unix.IoctlSetTermios(fd, setTermios, &without); err != nil {
		return func() {}
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, was) } // fails on a terminal that is gone
}
