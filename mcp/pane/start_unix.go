//go:build !windows

package pane

import "syscall"

// apart puts a program into a session of its own: a signal to this process's
// group or the end of its terminal does not reach it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
