package procgroup

import "syscall"

// Apart puts a program into its own process group, so that Ctrl+C to this one
// does not reach it.
func Apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
