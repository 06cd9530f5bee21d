package machine

import "golang.org/x/sys/unix"

// parentOf returns a process's name and its parent.
func parentOf(pid int) (name string, parent int, ok bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", 0, false
	}
	return unix.ByteSliceToString(info.Proc.P_comm[:]), int(info.Eproc.Ppid), true
}
