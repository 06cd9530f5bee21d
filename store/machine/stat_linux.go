package machine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Stat is what a proc file system says of a process.
type Stat struct {
	Name   string // of its program; it may hold any byte
	Ended  bool   // only its exit status is left
	Parent int    // the parent's PID
	Start  string // when it started, in ticks since boot; a later process of the same PID has another
}

// ReadStat reads the stat file of a process from the proc file system at proc, usually
// /proc.
func ReadStat(proc string, pid int) (Stat, error) {
	raw, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "stat"))
	if err != nil {
		return Stat{}, err
	}
	return parseStat(raw)
}

// parseStat parses a stat file. The name is in parentheses and may contain some, too.
func parseStat(raw []byte) (Stat, error) {
	open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if open < 0 || end < open {
		return Stat{}, fmt.Errorf("%q is no process's stat", raw)
	}
	fields := strings.Fields(string(raw[end+1:])) // state, parent, …; the start is the twentieth
	if len(fields) < 2 {
		return Stat{}, fmt.Errorf("%q is no process's stat", raw)
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return Stat{}, fmt.Errorf("%q is no process's stat: %w", raw, err)
	}
	stat := Stat{Name: string(raw[open+1 : end]), Ended: fields[0] == "Z" || fields[0] == "X", Parent: parent}
	if len(fields) >= 20 {
		stat.Start = fields[19]
	}
	return stat, nil
}
