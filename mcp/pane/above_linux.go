package pane

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"planb/questions/safe"
	"planb/store/machine"
)

// readsEnvirons says whether the environments of other processes can be read.
const readsEnvirons = true

// processesAbove lists the ancestors of this process.
func processesAbove() []process { return processesIn("/proc", os.Getppid()) }

// maxAbove ends a walk in circles. A /proc that changes during the walk can
// cause one.
const maxAbove = 64

// processesIn lists a process and its ancestors from a proc file system. It
// stops at the first one that cannot be read.
func processesIn(proc string, pid int) []process {
	var list []process
	for pid > 1 && len(list) < maxAbove {
		stat, err := machine.ReadStat(proc, pid)
		if err != nil {
			break
		}
		env := environOf(filepath.Join(proc, strconv.Itoa(pid)))
		list = append(list, process{pid: pid, name: safe.New(stat.Name).Line(), env: env})
		pid = stat.Parent
	}
	return list
}

// maxEnviron bounds what is read of an environment; Linux allows less.
const maxEnviron = 8 << 20

// environOf returns the environment that a process started with; nil if it
// belongs to another user or cannot be read.
func environOf(dir string) Env {
	info, err := os.Stat(dir)
	if err != nil || !isOwn(info) {
		return nil
	}
	file, err := os.Open(filepath.Join(dir, "environ"))
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // nothing was written
	environ, err := io.ReadAll(io.LimitReader(file, maxEnviron))
	if err != nil {
		return nil
	}
	return parseEnviron(environ)
}

// parseEnviron parses NAME=value entries that end with a zero byte. As in
// getenv, the first entry of a name counts.
func parseEnviron(environ []byte) Env {
	return func(wanted string) string {
		for entry := range bytes.SplitSeq(environ, []byte{0}) {
			if name, value, ok := bytes.Cut(entry, []byte{'='}); ok && string(name) == wanted {
				return string(value)
			}
		}
		return ""
	}
}
