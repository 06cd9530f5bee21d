package pane

import "syscall"

// apart puts a program into its own process group, so that Ctrl+C to this one
// does not reach it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
