package tui

import "golang.org/x/sys/unix"

// The requests by which a terminal's modes are read and set.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)
