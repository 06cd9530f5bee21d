//go:build !windows

package rig

import (
	"syscall"
)

// Suspend and Resume are the signals that stop a process and continue it.
const (
	Suspend = syscall.SIGSTOP
	Resume  = syscall.SIGCONT
)
