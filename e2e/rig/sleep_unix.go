//go:build !windows

package rig

import (
	"syscall"
)

// What suspends a process, and lets it go on.
const (
	Suspend = syscall.SIGSTOP
	Resume  = syscall.SIGCONT
)
