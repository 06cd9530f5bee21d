package bolt

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// turnstileFlag is how the turnstile is opened. The kernel knows who holds a
// lock, so nothing needs to be written.
const turnstileFlag = os.O_RDONLY

// noteHolder does nothing here: see holder.
func noteHolder(*os.File) {}

// holder names a process that holds a lock on one of the files, of the first file that
// is locked. It is empty if there is none, or if the process is in another container
// and cannot be named.
func holder(paths ...string) string {
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	for _, path := range paths {
		if name := describe(lockedBy(locks, path)); name != "" {
			return name
		}
	}
	return ""
}

// lockedBy finds the process that holds a flock on the file; 0 if there is none. A line
// of /proc/locks reads "1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF"; a process
// that waits has "->" as its second field. The device is not compared: on some file
// systems it differs from the one that stat tells.
func lockedBy(locks []byte, path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	inode := ":" + strconv.FormatUint(stat.Ino, 10)
	for line := range bytes.Lines(locks) {
		fields := strings.Fields(string(line))
		if len(fields) < 6 || fields[1] != "FLOCK" || !strings.HasSuffix(fields[5], inode) {
			continue
		}
		if pid, err := strconv.Atoi(fields[4]); err == nil {
			return pid
		}
	}
	return 0
}

// describe names a process by its number and command line; empty if it has ended. A
// lock can outlive the process that locked the file: a child may still hold it.
func describe(pid int) string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(line) == 0 {
		return ""
	}
	return described(pid, string(bytes.TrimRight(bytes.ReplaceAll(line, []byte{0}, []byte{' '}), " ")))
}
