package rig

import "syscall"

// Windows has no signal that suspends a process. The tests that need one do not
// run there, because they need tmux, but they have to build.
const (
	Suspend = syscall.Signal(19)
	Resume  = syscall.Signal(18)
)
