package rig

import (
	"os"
	"syscall"
	"testing"
)

// Windows has no signal that suspends a process. The tests that need one do not
// run there, because they need tmux, but they have to build.
const (
	Suspend = syscall.Signal(19)
	Resume  = syscall.Signal(18)
)

// SuspendAtRest fails the test: see Suspend.
func SuspendAtRest(t testing.TB, _ string, _ *os.Process) {
	t.Helper()
	t.Fatal("Windows suspends no process")
}
