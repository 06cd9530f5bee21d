package pane

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// readsEnvirons says whether other processes' environments are to be read here.
const readsEnvirons = true

// processesAbove lists the processes above this one.
func processesAbove() []process { return processesIn("/proc", os.Getppid()) }

// maxAbove ends a walk that goes round in circles, which a /proc that changes
// under it can bring about.
const maxAbove = 64

// processesIn walks up from a process, by what a proc file system says. It ends
// where something cannot be read.
func processesIn(proc string, pid int) []process {
	var list []process
	for pid > 1 && len(list) < maxAbove {
		dir := filepath.Join(proc, strconv.Itoa(pid))
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			break
		}
		name, parent, err := parseStat(stat)
		if err != nil {
			break
		}
		list = append(list, process{pid: pid, name: name, env: environOf(dir)})
		pid = parent
	}
	return list
}

// parseStat reads a process's name and its parent out of /proc/PID/stat. The name
// stands in parentheses and may hold any byte, those too.
func parseStat(stat []byte) (name string, parent int, err error) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return "", 0, fmt.Errorf("%q is no process's stat", stat)
	}
	fields := strings.Fields(string(stat[end+1:])) // state, parent, …
	if len(fields) < 2 {
		return "", 0, fmt.Errorf("%q is no process's stat", stat)
	}
	parent, err = strconv.Atoi(fields[1])
	return safe.New(string(stat[open+1 : end])).Line(), parent, err
}

// maxEnviron is how much of an environment is read: more than Linux lets one have.
const maxEnviron = 8 << 20

// environOf is the environment a process of this user was started with; nil if
// it is another's, or must not be read.
func environOf(dir string) Env {
	info, err := os.Stat(dir)
	if err != nil || !isOwn(info) {
		return nil
	}
	file, err := os.Open(filepath.Join(dir, "environ"))
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // it was only read
	environ, err := io.ReadAll(io.LimitReader(file, maxEnviron))
	if err != nil {
		return nil
	}
	return parseEnviron(environ)
}

// parseEnviron reads NAME=value entries that end with a zero byte. Like getenv it
// takes the first of a name.
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
