package machine

// parentOf returns a process's name and its parent.
func parentOf(pid int) (name string, parent int, ok bool) {
	stat, err := ReadStat("/proc", pid)
	return stat.Name, stat.Parent, err == nil
}
