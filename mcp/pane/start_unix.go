//go:build !windows

package pane

import "syscall"

// apart puts a program into its own session, so that neither a signal to this
// process's group nor the end of its terminal reaches it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
