package main_test

import "syscall"

// Windows suspends no process by a signal. The tests that do are never run there,
// for want of tmux, but have to build.
const (
	suspend = syscall.Signal(19)
	resume  = syscall.Signal(18)
)
