//go:build !windows

package procgroup

import "syscall"

// Apart puts a program into its own session, so that neither a signal to this
// process's group nor the end of its terminal reaches it.
func Apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
