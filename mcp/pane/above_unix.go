//go:build unix && !linux

package pane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// readsEnvirons says whether other processes' environments are to be read here.
const readsEnvirons = false

// processesAbove lists the processes above this one, as ps tells of them: what
// environment another process was started with is not to be read here.
func processesAbove() []process {
	ctx, cancel := context.WithTimeout(context.Background(), seekTime)
	defer cancel()
	listed, err := exec.CommandContext(ctx, "ps", "-axo", "pid=,ppid=,comm=").Output()
	if err != nil {
		return nil // without ps they are not known
	}
	return parsePS(string(listed), os.Getppid())
}

func parsePS(listed string, pid int) []process {
	parents, names := map[int]int{}, map[int]string{}
	for line := range strings.Lines(listed) {
		var child, parent int
		var name string
		if _, err := fmt.Sscan(line, &child, &parent, &name); err == nil {
			parents[child], names[child] = parent, name
		}
	}
	var list []process
	for pid > 1 && names[pid] != "" {
		list = append(list, process{pid: pid, name: names[pid]})
		next := parents[pid]
		delete(names, pid) // so that a circle ends
		pid = next
	}
	return list
}
