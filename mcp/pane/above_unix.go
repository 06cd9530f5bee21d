//go:build unix && !linux

package pane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// readsEnvirons says whether the environments of other processes can be read.
const readsEnvirons = false

// processesAbove lists the ancestors of this process from the output of ps.
// Their environments cannot be read here.
func processesAbove() []process {
	ctx, cancel := context.WithTimeout(context.Background(), seekTime)
	defer cancel()
	listed, err := exec.CommandContext(ctx, "ps", "-axo", "pid=,ppid=,comm=").Output()
	if err != nil {
		return nil // without ps they are unknown
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
		delete(names, pid) // ends a walk in circles
		pid = next
	}
	return list
}
