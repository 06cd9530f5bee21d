package pane

import "syscall"

// apart puts a program into a process group of its own: Ctrl+C to this one's
// does not reach it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
