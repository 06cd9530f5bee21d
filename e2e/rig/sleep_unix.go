//go:build !windows

package rig

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Suspend and Resume are the signals that stop a process and continue it.
const (
	Suspend = syscall.SIGSTOP
	Resume  = syscall.SIGCONT
)

// SuspendAtRest stops a process at a moment when it holds no lock on the store in
// dataDir. All others would wait for a process that is stopped while it holds one.
func SuspendAtRest(t testing.TB, dataDir string, process *os.Process) {
	t.Helper()
	Until(t, "a stopped process holds no lock on the store", func() bool {
		if err := process.Signal(Suspend); err != nil {
			t.Fatal(err)
		}
		Until(t, "the process is stopped", func() bool {
			list := processes(strconv.Itoa(process.Pid))
			return len(list) == 1 && strings.HasPrefix(list[0].state, "T")
		})
		if unlocked(t, dataDir) {
			return true
		}
		if err := process.Signal(Resume); err != nil {
			t.Fatal(err)
		}
		return false
	})
}

// unlocked reports whether no process holds the store or its turnstile.
func unlocked(t testing.TB, dataDir string) bool {
	t.Helper()
	for _, name := range []string{"planb.db.turn", "planb.db"} {
		f, err := os.Open(filepath.Join(dataDir, name))
		if err != nil {
			t.Fatal(err)
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		_ = f.Close() // and with it the lock
		if err != nil {
			return false
		}
	}
	return true
}
