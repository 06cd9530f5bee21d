package machine

import "os"

// maxAbove is how many processes Above looks at.
const maxAbove = 32

// Above returns the names of the processes above this one, its parent first. A name may
// hold any byte. The list ends where the system says no more; on some systems it is
// empty.
func Above() (names []string) {
	for pid := os.Getppid(); pid > 0 && len(names) < maxAbove; {
		name, parent, ok := parentOf(pid)
		if !ok || parent == pid {
			break
		}
		names = append(names, name)
		pid = parent
	}
	return names
}
