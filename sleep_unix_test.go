//go:build !windows

package main_test

import "syscall"

// What suspends a process, and lets it go on.
const (
	suspend = syscall.SIGSTOP
	resume  = syscall.SIGCONT
)
