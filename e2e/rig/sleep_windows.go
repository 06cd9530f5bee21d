package rig

import "syscall"

// Windows suspends no process by a signal. The tests that do are never run there,
// for want of tmux, but have to build.
const (
	Suspend = syscall.Signal(19)
	Resume  = syscall.Signal(18)
)
