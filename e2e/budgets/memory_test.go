package budgets_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"planb/e2e/rig"
)

// measureMemory measures a server's memory after initialize and tools/list,
// once it no longer changes.
func measureMemory(t testing.TB) []figure {
	const what = "resident memory, idle server"
	if runtime.GOOS != "linux" {
		return []figure{{what: what, unit: "MB", most: 30, skipped: "needs /proc"}}
	}
	idle := func(program string, args ...string) (resident, anonymous float64) {
		w := rig.StartTimedClient(t, serverVariables(t.TempDir()), program, args...)
		defer w.Stop()
		w.Initialize()
		w.Result(w.Send("tools/list", nil))
		awaitSteady(func() int { return int(megabytes(t, w.Cmd.Process.Pid, "VmRSS:") * 100) }, 500*time.Millisecond)
		return megabytes(t, w.Cmd.Process.Pid, "VmRSS:"), megabytes(t, w.Cmd.Process.Pid, "RssAnon:")
	}
	resident, anonymous := idle(rig.Planb(t), "mcp")
	bare, bareAnonymous := idle(floorProgram(t, "mcp"))
	return []figure{
		{what: what, metric: "MB", unit: "MB", most: 30, got: resident,
			floor: "a bare mcp-go server: " + inUnit(bare, "MB")},
		{what: "  of it its own, not the program file's pages", metric: "own-MB", unit: "MB", bare: true, got: anonymous,
			floor: "a bare mcp-go server: " + inUnit(bareAnonymous, "MB")},
	}
}

// megabytes reads one line of a process's status, in megabytes of 1,000,000
// bytes.
func megabytes(t testing.TB, pid int, field string) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(status) {
		if words := bytes.Fields(line); len(words) == 3 && string(words[0]) == field {
			if kib, err := strconv.Atoi(string(words[1])); err == nil {
				return float64(kib) * 1024 / 1e6
			}
		}
	}
	t.Fatalf("/proc/%d/status tells no %s:\n%s", pid, field, status)
	return 0
}

// awaitSteady waits until a number has not changed for that long. It reads the
// number at least twice.
func awaitSteady(read func() int, still time.Duration) {
	last, since := read(), time.Now()
	for d := rig.NewDeadline(); time.Since(since) < still && !d.Passed(); d.PauseUpTo(still - time.Since(since)) {
		if n := read(); n != last {
			last, since = n, time.Now()
		}
	}
}
