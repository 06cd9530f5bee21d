package rig

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// process is one that the system lists.
type process struct{ id, parent, state string }

// processes lists those with the ids, all without an id. Linux tells it in files; elsewhere
// ps does, which takes some milliseconds. On a system with neither there are none.
func processes(ids ...string) (list []process) {
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		return ofLinux(ids)
	}
	out, _ := exec.Command("ps", "-A", "-o", "pid=,ppid=,stat=").Output()
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 3 && (len(ids) == 0 || slices.Contains(ids, fields[0])) {
			list = append(list, process{fields[0], fields[1], fields[2]})
		}
	}
	return list
}

func ofLinux(ids []string) (list []process) {
	if len(ids) == 0 {
		dirs, _ := filepath.Glob("/proc/[0-9]*")
		for _, dir := range dirs {
			ids = append(ids, filepath.Base(dir))
		}
	}
	for _, id := range ids {
		stat, err := os.ReadFile(filepath.Join("/proc", id, "stat"))
		if err != nil {
			continue // it has ended
		}
		behindName := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		list = append(list, process{id, behindName[1], behindName[0]})
	}
	return list
}

// withChildren adds all descendants of the processes.
func withChildren(pids []string) []string {
	children := map[string][]string{}
	for _, p := range processes() {
		children[p.parent] = append(children[p.parent], p.id)
	}
	for i := 0; i < len(pids); i++ {
		pids = append(pids, children[pids[i]]...)
	}
	return pids
}

// OnlyChild finds the one child of a process.
func OnlyChild(t testing.TB, parent string) *os.Process {
	t.Helper()
	pids := withChildren([]string{parent})
	if len(pids) != 2 {
		t.Fatalf("process %s has not one child but these descendants: %v", parent, pids[1:])
	}
	pid, err := strconv.Atoi(pids[1])
	if err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	return child
}

// AnyAlive reports whether any of the processes runs. A process that has ended does not
// run, even if its parent has not yet waited for it.
func AnyAlive(pids []string) bool {
	if len(pids) == 0 {
		return false
	}
	return slices.ContainsFunc(processes(pids...), func(p process) bool { return !strings.HasPrefix(p.state, "Z") })
}
